// Search: words, beginnings of words and Chinese, in an index of which a query loads the shards that it needs.
"use strict";

(function () {
  const MOST = 30;
  const CJK_SHARDS = 16; // as in opspec/site/search.py
  const { lang } = document.documentElement.dataset;
  const form = document.getElementById("search");
  const input = document.getElementById("search-text");
  const list = document.getElementById("search-results");
  let active = -1;
  let asked = 0;

  /** A word as the index has it. */
  function plain(word) {
    const lower = word.toLowerCase();
    return lower.length > 3 && lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
  }

  /** The terms of a query: words, and Chinese characters two by two. */
  function terms(query) {
    const found = (query.match(/[A-Za-z0-9]+/g) || []).map(plain);
    for (const run of query.match(/[\u3400-\u9fff]+/g) || []) {
      if (run.length === 1) found.push(run);
      for (let i = 0; i + 1 < run.length; i++) found.push(run.slice(i, i + 2));
    }
    return found;
  }

  /** The shards that a term may lie in; a single Chinese character begins terms of one. */
  const shard = (term) => (term.charCodeAt(0) < 128 ? term[0] : `u${term.codePointAt(0) % CJK_SHARDS}`);

  /** Document -> weight of its best term that begins so; an exact term counts twice. */
  async function matches(term) {
    const name = shard(term);
    const words = await opspec.data(`search/${name}`, `search.${name}`).catch(() => ({}));
    const found = new Map();
    for (const [word, places] of Object.entries(words)) {
      if (!word.startsWith(term)) continue;
      const factor = word === term ? 2 : 1;
      for (let i = 0; i < places.length; i += 2) {
        found.set(places[i], Math.max(found.get(places[i]) || 0, places[i + 1] * factor));
      }
    }
    return found;
  }

  /** Documents that have all terms, the best first. */
  opspec.search = async function (query) {
    const wanted = terms(query);
    if (!wanted.length) return [];
    const documents = await opspec.data("documents", `documents.${lang}`);
    const [first, ...others] = await Promise.all(wanted.map(matches));
    const hits = [...first].filter(([number]) => others.every((other) => other.has(number)));
    const scored = hits.map(([number, weight]) => [others.reduce((sum, other) => sum + other.get(number), weight), documents[number]]);
    return scored.sort((a, b) => b[0] - a[0] || a[1][0].length - b[1][0].length).map(([, found]) => found);
  };

  function address(place) {
    const [name, anchor] = place.split("#");
    return `${name}.${lang}.html${anchor ? `#${anchor}` : ""}`;
  }

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function show(query, found) {
    const options = found.slice(0, MOST).map(([title, place, text], i) => {
      const link = opspec.element("a", { href: address(place), tabindex: "-1" }, opspec.element("b", {}, title), " ", opspec.element("span", {}, text));
      return opspec.element("li", { role: "option", id: `found-${i}`, "aria-selected": "false" }, link);
    });
    const none = opspec.element("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, opspec.words.no_results);
    list.replaceChildren(...(options.length ? options : [none]));
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

  input.addEventListener("input", async () => {
    const mine = ++asked;
    if (!terms(input.value).length) return close();
    const query = input.value;
    const found = await opspec.search(query);
    if (mine === asked) show(query, found);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const option = list.querySelectorAll("li[id]")[Math.max(active, 0)];
    if (option && !list.hidden) location.href = option.querySelector("a").href;
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    }
  });
})();
