// What every page has: loading of data, the switches of product, theme and language, the menu of a phone.
"use strict";

(function () {
  const page = document.documentElement.dataset;
  const pending = new Map();

  /** Called by a data script. */
  opspec.give = function (name, value) {
    pending.get(name)?.resolve(value);
  };

  /** What a data script gives; it is loaded once. */
  opspec.get = function (name, path) {
    if (!pending.has(name)) {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
      pending.set(name, entry);
      opspec.load(path).catch(entry.reject);
    }
    return pending.get(name).promise;
  };

  /** Load a script of the site. */
  opspec.load = function (path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = page.root + path;
      script.onload = resolve;
      script.onerror = () => reject(new Error(path));
      document.head.append(script);
    });
  };

  /** Data of this release. */
  opspec.data = (name, file = name) => opspec.get(name, `data/${page.release}/${file}.js`);

  /** A phrase with its places filled in. */
  opspec.phrase = (key, ...parts) => opspec.words[key].replace(/\{(\d)\}/g, (_, place) => parts[place]);

  /** An element with attributes and children; texts are texts, never markup. */
  opspec.element = function (tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  };

  const stored = {
    get(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(name, value);
      } catch {
        // no storage: the choice lasts as long as the page
      }
    },
  };

  // --- state in the address, which can be handed on

  /** Read and write the part of the address behind #, as names and values. */
  opspec.state = {
    read: () => new URLSearchParams(location.hash.slice(1)),
    write(values) {
      const kept = Object.entries(values).filter(([, value]) => value);
      const text = new URLSearchParams(kept).toString();
      history.replaceState(null, "", text ? `#${text}` : location.pathname.split("/").pop() + location.search);
    },
  };

  for (const link of document.querySelectorAll("a.keeps")) {
    link.addEventListener("click", () => {
      link.href = link.href.split("#")[0] + location.hash;
    });
  }

  // --- product

  const product = document.getElementById("product");
  const asked = new URLSearchParams(location.search).get("product") || stored.get("opspec-product") || "";
  product.value = [...product.options].some((option) => option.value === asked) ? asked : "";

  function showProduct() {
    const note = document.getElementById("product-note");
    if (note) {
      const support = JSON.parse(note.dataset.support)[product.value] || "unknown";
      const name = product.selectedOptions[0].textContent;
      note.textContent = product.value ? opspec.phrase(`supported_${support}`, name) : "";
      note.dataset.state = product.value ? support : "";
    }
    document.dispatchEvent(new CustomEvent("opspec-product", { detail: product.value }));
  }

  product.addEventListener("change", () => {
    stored.set("opspec-product", product.value);
    showProduct();
  });
  opspec.product = () => product.value;

  /** Choose a product for all pages. */
  opspec.choose = function (name) {
    if (product.value === name) return;
    product.value = name;
    product.dispatchEvent(new Event("change"));
  };
  showProduct();

  // --- theme and menu

  document.getElementById("theme").addEventListener("click", () => {
    const dark = page.theme ? page.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    page.theme = dark ? "light" : "dark";
    stored.set("opspec-theme", page.theme);
  });

  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    const open = menu.getAttribute("aria-expanded") !== "true";
    menu.setAttribute("aria-expanded", open);
    document.body.classList.toggle("menu-open", open);
  });

  document.querySelector("#side [aria-current]")?.scrollIntoView({ block: "nearest" });

  // --- what pages of operators have: blocks that scroll are reached by keyboard, code can be copied

  for (const block of document.querySelectorAll("main .scroll, main pre, main .formula")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }

  /** A button that copies a text. */
  function copying(text, label, shown) {
    const button = opspec.element("button", { type: "button", class: "copy", "aria-label": label, title: label }, shown);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text()).then(() => (button.textContent = opspec.words.copied), () => {});
    });
    return button;
  }

  for (const block of document.querySelectorAll("main pre")) {
    const button = copying(() => block.textContent, opspec.words.copy, opspec.words.copy);
    const frame = opspec.element("div", { class: "code" });
    block.replaceWith(frame);
    frame.append(block, button);
  }

  // --- rule ids can be copied, headings linked to, and marks say what they mean

  for (const link of document.querySelectorAll("main .ledger th a[id]")) {
    link.after(copying(() => link.textContent, `${opspec.words.copy} ${link.textContent}`, ""));
  }
  for (const heading of document.querySelectorAll("main h2[id]")) {
    heading.append(" ", opspec.element("a", { class: "permalink", href: `#${heading.id}`, "aria-label": `${opspec.words.link_here}: ${heading.textContent}` }, "#"));
  }
  const meanings = [...document.querySelectorAll("main .legend span > b")].map((sign) => [sign.textContent, sign.nextSibling.textContent.trim()]);
  for (const mark of document.querySelectorAll("main a.mark")) {
    const said = meanings.filter(([sign]) => mark.textContent.includes(sign)).map(([, meaning]) => meaning);
    if (said.length) mark.title = said.join("; ");
  }
})();
