// The search box: what is typed, what was found (find.js), and the keys.
"use strict";

(function () {
  const MOST = 30;
  const { lang, base = "" } = document.documentElement.dataset; // base: the release's folder, from a page outside
  const form = document.getElementById("search");
  const input = document.getElementById("search-text");
  const list = document.getElementById("search-results");
  let active = -1;
  let asked = 0;

  function address(place) {
    const [name, anchor] = place.split("#");
    return `${base}${name}.${lang}.html${anchor ? `#${anchor}` : ""}`;
  }

  function close() {
    asked += 1; // nor is shown what is still looked for
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function show(query, { found, read, without }) {
    const options = found.slice(0, MOST).map(([title, place, text], i) => {
      const link = opspec.element("a", { href: address(place || title), tabindex: "-1" }, opspec.element("b", {}, ...opspec.breaking(title)), " ", opspec.element("span", {}, text));
      if (without.has(title)) link.append(" ", opspec.element("em", {}, opspec.words.no));
      return opspec.element("li", { role: "option", id: `found-${i}`, "aria-selected": "false" }, link);
    });
    const none = opspec.element("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, opspec.words.no_results);
    const meant = read && options.length ? opspec.element("li", { role: "option", class: "meant", "aria-disabled": "true", "aria-selected": "false" }, opspec.phrase("read_as", query.trim(), read)) : "";
    list.replaceChildren(...(options.length ? [meant, ...options].filter(Boolean) : [none]));
    list.hidden = false;
    list.dataset.of = query; // what drives this page can see which query it is about
    active = -1;
    input.setAttribute("aria-expanded", "true");
  }

  function move(step) {
    const options = [...list.querySelectorAll("li[id]")];
    if (!options.length || list.hidden) return;
    active = (active + step + options.length) % options.length;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
    options[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[active].id);
  }

  /** Shows what is found for what the box has, unless it has something else by then. */
  async function look() {
    const mine = ++asked;
    if (!opspec.asks(input.value)) return close();
    const query = input.value;
    const found = await opspec.search(query, opspec.product());
    if (mine === asked) show(query, found);
  }

  const isShown = () => !list.hidden && list.dataset.of === input.value;

  input.addEventListener("input", look);
  input.addEventListener("keydown", async (event) => {
    if (event.key === "Escape" || event.key === "Tab") close(); // Tab leads out of the list, be it to nothing
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isShown()) await look();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!isShown()) await look(); // who types fast is faster than what is loaded
    const option = list.querySelectorAll("li[id]")[Math.max(active, 0)];
    if (option && isShown()) location.href = option.querySelector("a").href;
  });
  for (const event of ["click", "focusin"]) {
    document.addEventListener(event, ({ target }) => form.contains(target) || close());
  }
  document.addEventListener("keydown", (event) => {
    const slash = event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (slash || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k")) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
})();
