// What a query finds: words and beginnings of words in an index of which it loads the shards that it needs, names that
// are written otherwise, and what is nearest to a word that nobody wrote.
"use strict";

(function () {
  const CJK_SHARDS = 16; // as in opspec/site/search.py
  const CJK = /[\u3400-\u9fff]+/g;
  const WORDS = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g; // as there
  //: what says where a name is from, or nothing: it counts where it stands alone
  const EMPTY = new Set(
    "a an and api aten f for functional how in is linalg mindspore mint nn npu of on onnx op operator ops or tensor the to torch torchnpu use with".split(" "));
  const OTHER = 14; // what a word weighs that people have for a name's, as there
  const SAME = 150; // points of what is called so
  const BEGINS = 60; // of what is called so and goes on, the more the less of it goes on
  const ELSEWHERE = 0.9; // of the points, where that is what others call it
  const SHORTER = 0.5; // of the points, without the words that say nothing
  const COVERED = 40; // of a name all of whose words are asked for
  const ALL = 15; // of what has all terms
  const LEAST = 0.35; // of the best one's points

  /** A word as the index has it. */
  function plain(word) {
    const lower = word.toLowerCase();
    return lower.length > 3 && lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
  }

  /** A name without case and whatever is neither letter nor digit, nor the library that it is of. */
  const compact = (name) => name.toLowerCase().replace(/[^a-z0-9\u3400-\u9fff]+/g, "").replace(/^aclnn(?=.)/, "");

  const split = (query) => query.match(/[A-Za-z0-9]+|[\u3400-\u9fff]+/g) || [];

  /** The words of a query that say something. */
  function saying(query) {
    const found = split(query);
    const kept = found.filter((word) => !EMPTY.has(word.toLowerCase()));
    return kept.length ? kept : found;
  }

  /** The terms of words: themselves, and Chinese characters two by two. */
  function termsOf(words) {
    const found = [];
    for (const word of words) {
      if (word.charCodeAt(0) < 128) found.push(plain(word));
      else if (word.length === 1) found.push(word);
      else for (let i = 0; i + 1 < word.length; i++) found.push(word.slice(i, i + 2));
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

  /** Letters to change, add, take away or swap to make one word of the other; more than `most` are `most + 1`. */
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = [], last = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      [before, last] = [last, row];
    }
    return last[b.length];
  }

  /** What can be found, with what is compared of it; made once. */
  const known = new Map();
  async function documents() {
    const { lang } = document.documentElement.dataset;
    if (!known.has(lang)) {
      const listed = await opspec.data("documents", `documents.${lang}`);
      const vocabulary = new Map(); // word of a name -> in how many
      const prepared = listed.map((entry) => {
        const [title, , , ...others] = entry;
        const bare = title.replace(/^aclnn/, "");
        const words = (bare.match(WORDS) || []).map((word) => word.toLowerCase());
        const names = [compact(title), ...others.map((name) => compact(saying(name).join("")))];
        const ends = words.map((_, i) => words.slice(i).join(""));
        const own = others.flatMap((name) => name.match(WORDS) || []).map((word) => word.toLowerCase());
        for (const word of new Set([...words, ...ends, ...own, ...names])) vocabulary.set(word, (vocabulary.get(word) || 0) + 1);
        return { entry, names, words: words.filter((word) => !/^v\d+$/.test(word)), versions: words.filter((word) => /^v\d+$/.test(word)) };
      });
      known.set(lang, { prepared, vocabulary, others: await opspec.data("words") });
    }
    return known.get(lang);
  }

  /** The nearest word of names to one that is in none, or null. */
  function nearest(word, vocabulary) {
    const most = word.length < 3 ? 0 : word.length < 6 ? 1 : word.length < 14 ? 2 : 3;
    const sorted = (text) => [...text].sort().join("");
    let [best, least, count] = [null, most + 1, 0];
    for (const [candidate, times] of vocabulary) {
      if (candidate.length < 3 || (word.length < 4 && sorted(word) !== sorted(candidate))) continue; // letters swapped
      const found = distance(word, candidate, Math.min(most, least));
      if (found < least || (found === least && found <= most && times > count)) [best, least, count] = [candidate, found, times];
    }
    return best;
  }

  /** Words in whose place one that names have is taken, where the index has nothing that begins so. */
  async function corrected(words, vocabulary) {
    let changed = false;
    const found = await Promise.all(words.map(async (word) => {
      if (word.charCodeAt(0) >= 128 || (await matches(plain(word))).size) return word;
      const bare = word.toLowerCase().replace(/^aclnn(?=.)/, "");
      const other = nearest(bare, vocabulary);
      changed ||= other !== null;
      return other ?? word;
    }));
    return changed ? found : null;
  }

  /** Words that names have for some of a query: what people call them otherwise is part of it. */
  function named(words, others) {
    const text = ` ${words.join(" ").toLowerCase()} `;
    const has = (other) => (other.charCodeAt(0) < 128 ? text.includes(` ${other} `) : text.includes(other));
    return Object.keys(others).filter(has).flatMap((other) => others[other]);
  }

  /** Without pairs of characters that begin in one word that is known and end in the next. */
  function withoutSeams(terms, found) {
    const isWord = found.map((weights) => [...weights.values()].some((weight) => weight >= 2 * OTHER));
    const isPair = (i) => terms[i]?.length === 2 && terms[i].charCodeAt(0) >= 128;
    const isSeam = (i) => isPair(i) && !isWord[i] && isPair(i - 1) && isWord[i - 1] && isPair(i + 1) && isWord[i + 1];
    return found.filter((_, i) => !isSeam(i));
  }

  /** How many letters of a name's words the terms begin or are, of all that it has. */
  function covered(words, terms) {
    const all = words.reduce((sum, word) => sum + word.length, 0);
    const has = words.reduce((sum, word, i) => {
      const said = terms.some((term) => word === term || plain(word) === term || word.replace(/\d+$/, "") === term || term.includes(word) && words.slice(Math.max(0, i - 3)).join("").includes(term));
      const begun = said ? 1 : terms.some((term) => term.length > 1 && word.startsWith(term)) ? 0.6 : 0;
      return sum + word.length * begun;
    }, 0);
    return all ? has / all : 0;
  }

  /** Points of a name for a query that is written without blanks. */
  function called(name, whole, factor) {
    if (name === whole) return SAME * factor;
    if (whole.length > 2 && name.startsWith(whole)) return (BEGINS * factor * whole.length) / name.length;
    return 0;
  }

  /** Number -> points of each document that has some of the words; `every` are they with those that say nothing. */
  async function points(words, every, { prepared, others }) {
    const wholes = [...new Set([every, words].map((some) => compact(some.join(""))))];
    const terms = termsOf(words);
    const pairs = words.slice(1).map((word, i) => plain(words[i] + word));
    const found = withoutSeams(terms, await Promise.all(terms.map(matches)));
    const joined = await Promise.all(pairs.map(matches));
    const scores = new Map();
    const add = (number, more) => scores.set(number, (scores.get(number) || 0) + more);
    const having = new Map();
    for (const weights of found) {
      const rare = 0.4 + 0.6 * (1 - Math.log(1 + weights.size) / Math.log(1 + prepared.length));
      for (const [number, weight] of weights) {
        add(number, weight * rare);
        having.set(number, (having.get(number) || 0) + 1);
      }
    }
    for (const weights of joined) for (const [number, weight] of weights) add(number, weight);
    for (const [number, count] of having) if (count === found.length) add(number, ALL);
    const asked = [...terms, ...pairs, ...named(words, others)];
    prepared.forEach(({ names, words: own, versions }, number) => {
      const best = Math.max(...wholes.flatMap((whole, j) => names.map((name, i) => called(name, whole, (i ? ELSEWHERE : 1) * (j ? SHORTER : 1)))));
      if (best) add(number, best);
      if (!scores.has(number)) return;
      add(number, COVERED * covered(own, asked));
      if (versions.some((version) => asked.some((term) => term.endsWith(version)))) add(number, 1);
    });
    return scores;
  }

  /** Whether a query has something to look for. */
  opspec.asks = (query) => saying(query).length > 0;

  /**
   * What a query finds, the best first: entries of `documents`, and as what the query was read if nobody writes so.
   * With a product, operators that it does not have come last, and are in `without`.
   */
  opspec.search = async function (query, product = "") {
    const asked = saying(query);
    if (!asked.length) return { found: [], read: null, without: new Set() };
    const all = await documents();
    const { prepared } = all;
    const other = await corrected(asked, all.vocabulary);
    const scores = await points(other || asked, other || split(query), all);
    const ranked = [...scores].sort((a, b) => b[1] - a[1] || prepared[a[0]].entry[0].length - prepared[b[0]].entry[0].length);
    const least = ranked.length ? ranked[0][1] * LEAST : 0;
    const found = ranked.filter(([, score]) => score >= least).map(([number]) => prepared[number].entry);
    const without = new Set(product ? (await opspec.data("products"))[product].map((number) => prepared[number].entry[0]) : []);
    found.sort((a, b) => without.has(a[0]) - without.has(b[0]));
    return { found, read: other && other.join(" "), without };
  };
})();
