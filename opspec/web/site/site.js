// What every page has: loading of data, the switches of product, theme and language, the menu of a phone.
"use strict";

(function () {
  const page = document.documentElement.dataset;
  page.lang = document.documentElement.lang.slice(0, 2);
  const pending = new Map();

  /** A text that opspec/site/packing.py packed, and `before` it what it refers to. */
  opspec.unpacked = async function (text, before = { opening: "", length: 0 }) {
    const bytes = Uint8Array.from(atob(before.opening) + atob(text), (character) => character.charCodeAt(0));
    const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return (await new Response(whole).text()).slice(before.length);
  };

  /** Called by a data script; `packed`: the value as packed JSON. */
  opspec.give = function (name, value, packed) {
    pending.get(name)?.resolve(packed ? opspec.unpacked(packed).then(JSON.parse) : value);
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
      script.src = (page.root ?? "../") + path;
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

  /** A name that is broken between its words, where it has to be. */
  opspec.breaking = (name) => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z]\.)/).flatMap((word, i) => (i ? [document.createElement("wbr"), word] : [word]));

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

  // --- the frame: what works by scripts alone is put there by them

  const { element, words } = opspec;
  const own = page.page; // without language and ending
  const choice = (id, name) => element("option", { value: id }, name);

  (function frame() {
    const switches = document.getElementById("switches");
    const box = { id: "search-text", type: "search", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-expanded": "false",
      "aria-controls": "search-results", "aria-autocomplete": "list", "aria-label": words.search, placeholder: words.search };
    switches.before(element("form", { class: "search", id: "search", role: "search" }, element("input", box),
      element("ul", { id: "search-results", role: "listbox", "aria-label": words.results, hidden: true })));
    if (!own) return; // the page that leads to releases
    const product = element("select", { id: "product" }, choice("", words.any), ...opspec.products.map(([id, name]) => choice(id, name)));
    const releases = (page.releases || "").split(" ").filter(Boolean).map((name) =>
      element("a", { class: "keeps", href: `../${name}/${own}.${page.lang}.html`, "aria-current": name === page.release && "true" }, name));
    switches.prepend(element("label", { class: "choice" }, element("span", {}, words.product), " ", product),
      ...(releases.length ? [element("nav", { class: "releases", "aria-label": words.release }, ...releases)] : []));
    const links = opspec.menu.map(([name, title]) => element("li", {}, element("a", { href: `${name}.${page.lang}.html`, "aria-current": name === own && "page" }, title)));
    document.getElementById("side").append(element("nav", { "aria-label": words.main }, element("ul", {}, ...links)));
    switches.append(element("button", { type: "button", id: "theme", "aria-label": words.theme, title: words.theme }, "◐"),
      element("button", { type: "button", id: "menu", "aria-controls": "side", "aria-expanded": "false" }, words.menu));
  })();

  /** Families, and the operators of this one's. */
  async function families() {
    const found = await opspec.data("families");
    const operator = (own || "").replace(/\.rules$/, "");
    const item = ([family, ops]) => {
      const count = element("span", {}, String(ops.length));
      if (!ops.includes(operator)) return element("li", {}, element("a", { href: `index.${page.lang}.html#family=${family}` }, family, " ", count));
      const links = ops.map((op) => element("li", {}, element("a", { href: `${op}.${page.lang}.html`, "aria-current": op === own ? "page" : op === operator && "true" }, ...opspec.breaking(op))));
      return element("li", {}, element("details", { open: true }, element("summary", {}, family, " ", count), element("ul", {}, ...links)));
    };
    document.getElementById("side").append(element("nav", { "aria-label": words.families }, element("h2", {}, words.families),
      element("ul", { class: "families" }, ...Object.entries(found).map(item))));
    document.querySelector("#side [aria-current]")?.scrollIntoView({ block: "nearest" });
  }
  if (own) families().catch(() => {}); // a copy of one page alone

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

  const product = document.getElementById("product") || element("select");
  const asked = new URLSearchParams(location.search).get("product") || stored.get("opspec-product") || "";
  product.value = [...product.options].some((option) => option.value === asked) ? asked : "";

  function showProduct() {
    const note = document.getElementById("product-note");
    if (note) {
      const listed = (kind) => (note.dataset[kind] || "").split(" ").includes(product.value);
      const support = ["yes", "no"].find(listed) || "unknown";
      const name = product.selectedOptions[0].textContent;
      note.textContent = product.value ? opspec.phrase(`supported_${support}`, name) : "";
      note.dataset.state = product.value ? support : "";
    }
    narrow();
    document.dispatchEvent(new CustomEvent("opspec-product", { detail: product.value }));
  }

  /** A page of an operator says nothing of products but the chosen one, and that it does so. */
  function narrow() {
    const note = document.getElementById("product-note");
    if (!note) return;
    const only = JSON.parse(note.dataset.onlyOn || "{}");
    let count = 0;
    for (const item of document.querySelectorAll("main li:has(> a.rule), main .ledger tbody tr")) {
      const links = item.querySelectorAll(":scope > a.rule, :scope > th code[id]");
      const ids = [...links].flatMap((link) => (link.id || link.title).replace(/^rule-/, "").split(", "));
      item.hidden = product.value && ids.length > 0 && ids.every((id) => id in only && !only[id].split(" ").includes(product.value));
      count += item.hidden ? 1 : 0;
    }
    for (const row of document.querySelectorAll("main .support tbody tr")) row.hidden = product.value && !row.dataset.on.split(" ").includes(product.value);
    document.getElementById("narrowed")?.remove();
    if (count) note.append(element("span", { id: "narrowed" }, ` ${opspec.phrase("narrowed", count)}`));
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

  document.getElementById("theme")?.addEventListener("click", () => {
    const dark = page.theme ? page.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    page.theme = dark ? "light" : "dark";
    stored.set("opspec-theme", page.theme);
  });

  const menu = document.getElementById("menu");
  menu?.addEventListener("click", () => {
    const open = menu.getAttribute("aria-expanded") !== "true";
    menu.setAttribute("aria-expanded", open);
    document.body.classList.toggle("menu-open", open);
  });

  // --- the content of a page

  /** The sections of a page, below its title. */
  function contents() {
    const links = [...document.querySelectorAll("main h2[id]")].map(({ id, textContent }) => element("li", {}, element("a", { href: `#${id}` }, textContent)));
    const at = document.querySelector("main .try-link");
    if (!at || links.length < 2) return;
    const wide = matchMedia("(min-width: 40rem)").matches;
    at.after(element("details", { class: "contents", open: wide }, element("summary", {}, words.contents), element("nav", { "aria-label": words.contents }, element("ul", {}, ...links))));
  }

  /** A button that copies a text. */
  function copying(text, label, shown) {
    const button = element("button", { type: "button", class: "copy", "aria-label": label, title: label }, shown);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text()).then(() => (button.textContent = words.copied), () => {});
    });
    return button;
  }
  opspec.copying = copying;

  /** Blocks that scroll are reached by keyboard, code can be copied. */
  function blocks() {
    for (const block of document.querySelectorAll("main .scroll, main pre, main .formula")) {
      if (block.scrollWidth <= block.clientWidth) continue;
      block.tabIndex = 0;
      block.classList.add("more"); // which shows that it goes on
    }
    for (const block of document.querySelectorAll("main pre")) {
      const frame = element("div", { class: "code" });
      block.replaceWith(frame);
      frame.append(block, copying(() => block.textContent, words.copy, words.copy));
    }
  }

  /** Rows that stand as cards name their cells. */
  function cards() {
    for (const rows of document.querySelectorAll("main .cards")) {
      const names = [...(rows.tHead?.rows[0]?.cells || [])].map((cell) => [...cell.childNodes].map(({ textContent }) => textContent.trim()).join(" "));
      const told = rows.matches(".params, .ledger") ? 1 : 0; // the cell that needs no name, beside that of the row
      for (const cell of rows.querySelectorAll("tbody td")) if (cell.cellIndex > told) cell.dataset.label = names[cell.cellIndex] || "";
    }
  }

  /** Long names are broken between words. */
  function names() {
    for (const holder of document.querySelectorAll("main h1, main tbody th, main tbody th code, main tbody td a")) {
      for (const part of [...holder.childNodes]) if (part.nodeType === Node.TEXT_NODE && part.length > 12) part.replaceWith(...opspec.breaking(part.data));
    }
  }

  /** Rule ids link to themselves and can be copied, headings are linked to, and marks say what they mean. */
  function links() {
    for (const name of document.querySelectorAll("main .ledger th code[id]")) {
      const link = element("a", { href: `#${name.id}` });
      name.replaceWith(link);
      link.append(name);
      link.after(copying(() => link.textContent, `${words.copy} ${link.textContent}`, ""));
    }
    for (const link of document.querySelectorAll("main a.rule:not([title])")) link.title = link.hash.replace(/^#rule-/, "");
    for (const heading of document.querySelectorAll("main h2[id]")) {
      heading.append(" ", element("a", { class: "permalink", href: `#${heading.id}`, "aria-label": `${words.link_here}: ${heading.textContent}` }, "#"));
    }
    const meanings = [...document.querySelectorAll("main .legend span > b")].map((sign) => [sign.textContent, sign.nextSibling.textContent.trim()]);
    for (const mark of document.querySelectorAll("main a.mark")) {
      const said = meanings.filter(([sign]) => mark.textContent.includes(sign)).map(([, meaning]) => meaning);
      if (said.length) mark.title = said.join("; ");
    }
  }

  /** What was packed is put in its place; it is of this site's own making. */
  async function unpack() {
    const holder = document.getElementById("packed");
    if (!holder) return;
    const text = await opspec.unpacked(holder.dataset.text, opspec.common);
    const made = new DOMParser().parseFromString(text, "text/html");
    holder.replaceWith(...made.body.childNodes);
    showProduct();
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }

  unpack().then(() => {
    contents();
    cards();
    links();
    names();
    blocks();
    narrow();
    document.documentElement.dataset.dressed = "yes"; // what drives this page can see that it is whole
  });
})();
