// What a query finds: words and beginnings of words in an index of which it loads the shards that it needs, names that
// are written otherwise, and what is nearest to a word that nobody wrote.
"use strict";

(function () {
  const CJK_SHARDS = 16; // as in opspec/site/search.py
  const CJK = /[\u3400-\u9fff]+/g;
  const WORDS = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g; // as there
  //: what says where a name is from, or nothing: it counts where it stands alone
  const EMPTY = new Set((
    "a along an and api are as aten between by calculate compute does each element elements elementwise every f find for from " +
    "function functional get given how in into is keras linalg mindspore mint nn npu of on onnx op operator ops or over paddle " +
    "perform tensor tensors tensorflow tf that the to torch torchnpu two use using way what whether which with").split(" "));
  const EMPTY_CJK = /按元素|逐元素|算子|接口|函数|操作|怎么|如何|实现|张量/g; // the same of Chinese, in which words are not apart
  //: what a path begins with whose end alone is a name
  const LIBRARIES = new Set("aten f jax mindspore mint nn np npu numpy onnx ops optim paddle tensor tensorflow tf torch torch_npu".split(" "));
  const OVERLOADS = new Set("default int out scalar self tensor".split(" ")); // what may come after a name, as in aten::add.Tensor
  const OTHER = 14; // what a word weighs that people have for a name's, as there
  const SAME = 150; // points of what is called so
  const BEGINS = 60; // of what is called so and goes on, the more the less of it goes on
  const ELSEWHERE = 0.9; // of the points, where that is what others call it
  const SHORTER = 0.5; // of the points, without the words that say nothing
  const COVERED = 40; // of a name all of whose words are asked for
  const ALL = 15; // of what has all terms
  const LEAST = 0.35; // of the best one's points, that it is called so aside
  const UNASKED = 0.75; // of the points of a gradient, of what writes in place or takes lists, where a query asks for none
  const TERM = 0.7; // of the points of a term of the glossary, beside operators
  const INITIALS = 0.9; // of the points, where a word was read as initials
  const VARIANTS = { backward: "backward", grad: "backward", inplace: "inplace", foreach: "foreach" }; // words of names that say so

  /** A word as the index has it. */
  function plain(word) {
    const lower = word.toLowerCase();
    return lower.length > 3 && lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
  }

  /** A name without case and whatever is neither letter nor digit, nor the library that it is of. */
  const compact = (name) => name.toLowerCase().replace(/[^a-z0-9\u3400-\u9fff]+/g, "").replace(/^aclnn(?=.)/, "");

  const split = (query) => query.match(/[A-Za-z0-9]+|[\u3400-\u9fff]+/g) || [];

  /** A query without the paths to names, of which the ends alone say something. */
  function named(query) {
    return query.replace(/[A-Za-z]\w*(?:(?:\.|::)\w+)+/g, (path) => {
      const parts = path.split(/\.|::/);
      if (!LIBRARIES.has(parts[0].toLowerCase())) return path;
      const end = parts.pop();
      return (OVERLOADS.has(end.toLowerCase()) && parts.length > 1) || parts.at(-1) === "linalg" ? `${parts.pop()} ${end}` : end;
    });
  }

  /** The words of a query that say something. */
  function saying(query) {
    const found = split(query);
    const kept = found.map((word) => word.replace(EMPTY_CJK, "")).filter((word) => word && !EMPTY.has(word.toLowerCase()));
    return kept.length ? kept : found;
  }

  /** The words of a name that is written without blanks, in lower case. */
  const wordsOf = (name) => (name.match(WORDS) || []).map((word) => word.toLowerCase());
  const isVersion = (word) => /^v\d+$/.test(word);
  const isId = (word) => /^[A-Z]{2,}$|^(?=.*[A-Za-z])[A-Za-z]*\d/.test(word); // which nobody writes by chance

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
      const runs = new Map(); // words of names that stand beside each other -> in how many
      const short = new Map(); // other name of a few letters -> the words of the first operator that has it
      const count = (counts, key) => counts.set(key, (counts.get(key) || 0) + 1);
      const prepared = listed.map((entry) => {
        const [title, place, about, ...others] = entry;
        const all = wordsOf(title.replace(/^aclnn/, ""));
        const names = [compact(title), ...others.map((name) => compact(saying(name).join("")))];
        const ends = all.map((_, i) => all.slice(i).join(""));
        for (const word of new Set([...all, ...ends, ...others.flatMap(wordsOf), ...names])) count(vocabulary, word);
        const words = all.filter((word) => !isVersion(word));
        if (!place) {
          for (const i of words.keys()) for (let j = i + 1; j <= Math.min(i + 5, words.length); j++) count(runs, words.slice(i, j).join(" "));
          for (const name of names) if (/^[a-z0-9]{2,4}$/.test(name) && !short.has(name)) short.set(name, words);
        }
        const ids = new Set(place ? [title, about, ...others].flatMap(split).filter(isId).map(plain) : []);
        return { entry, names, words, ids, versions: all.filter(isVersion) };
      });
      const plainly = new Set(prepared.filter(({ words }) => !words.some((word) => VARIANTS[word])).map(({ words }) => baseOf(words)));
      for (const one of prepared) one.variants = plainly.has(baseOf(one.words)) ? one.words.flatMap((word) => VARIANTS[word] ?? []) : [];
      known.set(lang, { prepared, vocabulary, full: fullOf(runs, short), others: await opspec.data("words") });
    }
    return known.get(lang);
  }

  /** What a name has beside words that say which variant it is, and of what its arguments are. */
  const baseOf = (words) => words.filter((word) => !VARIANTS[word]).join(" ").replace(/( (list|scalar|tensor))+$/, "");

  /** Initials and other short names -> the words of most names that have them; people write both words of matmul. */
  function fullOf(runs, short) {
    const found = new Map();
    for (const [run, times] of runs) {
      const key = run.split(" ").map((word) => (word === "matmul" ? "mm" : word[0])).join("");
      if (key.length > 2 && !(found.get(key)?.times >= times)) found.set(key, { words: run.split(" "), times });
    }
    for (const [name, words] of short) found.set(name, { words });
    for (const run of runs.keys()) found.delete(run); // which is a word of a name
    return found;
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

  /**
   * Words in whose place others are taken, where the index has nothing that begins so: those that one is put together of
   * if names have them all, else the nearest that names have, which `changed` tells.
   */
  async function corrected(words, vocabulary) {
    let changed = false;
    const found = await Promise.all(words.map(async (word) => {
      if (word.charCodeAt(0) >= 128 || (await matches(plain(word))).size) return word;
      const bare = word.replace(/^aclnn(?=.)/i, "");
      const parts = wordsOf(bare);
      if (parts.length > 1 && parts.every((part) => EMPTY.has(part) || vocabulary.has(part))) return saying(parts.join(" "));
      const other = nearest(bare.toLowerCase(), vocabulary);
      changed ||= other !== null;
      return other ?? (parts.length > 1 ? saying(parts.join(" ")) : word);
    }));
    return { words: found.flat(), changed };
  }

  /** The words with those in the place of initials and other short names, or null. */
  function spelt(words, full) {
    const found = words.map((word) => {
      const [, name, version] = /^(.*?)(v\d+)?$/.exec(word.toLowerCase());
      return full.get(name)?.words.concat(version ?? []);
    });
    return found.some(Boolean) ? words.flatMap((word, i) => found[i] ?? word) : null;
  }

  /** Words that names have for some of a query: what people call them otherwise is part of it. */
  function otherwise(words, others) {
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
    const asked = [...terms, ...pairs, ...otherwise(every, others)];
    const wanted = new Set(asked.map((term) => VARIANTS[term]));
    const said = new Set(every.map(plain));
    prepared.forEach(({ entry, names, ids, words: own, versions, variants }, number) => {
      const best = Math.max(...wholes.flatMap((whole, j) => names.map((name, i) => called(name, whole, (i ? ELSEWHERE : 1) * (j ? SHORTER : 1)))));
      if (best) add(number, best);
      if (!scores.has(number)) return;
      add(number, COVERED * covered(own, asked));
      if (versions.some((version) => asked.some((term) => term.endsWith(version)))) add(number, 1);
      if (own.some((word) => EMPTY.has(word) && said.has(word))) add(number, 1);
      if (best >= SAME * ELSEWHERE * SHORTER) return;
      const isBeside = entry[1] && !terms.some((term) => ids.has(term));
      const factor = isBeside ? TERM : variants.some((variant) => !wanted.has(variant)) ? UNASKED : 1;
      scores.set(number, scores.get(number) * factor);
    });
    return scores;
  }

  /** Whether a query has something to look for. */
  opspec.asks = (query) => saying(query).length > 0;

  /**
   * What a query finds, the best first: entries of `documents`; as what the query was read if nobody writes so; and
   * whether the first is called just so.
   * With a product, operators that it does not have come last, and are in `without`.
   */
  opspec.search = async function (query, product = "") {
    const bare = named(query);
    const asked = saying(bare);
    if (!asked.length) return { found: [], read: null, without: new Set() };
    const all = await documents();
    const { prepared } = all;
    const { words, changed } = await corrected(asked, all.vocabulary);
    const scores = await points(words, changed ? words : split(bare), all);
    const full = spelt(asked, all.full);
    const more = full ? await points(full, full, all) : new Map();
    for (const [number, score] of more) scores.set(number, Math.max(scores.get(number) || 0, score * INITIALS));
    const inPlace = /^[A-Za-z]\w*_$/.test(bare.trim()) ? compact(`inplace${bare}`) : null; // as PyTorch names them
    if (inPlace) prepared.forEach(({ names }, number) => names[0] === inPlace && scores.set(number, 2 * SAME));
    const ranked = [...scores].sort((a, b) => b[1] - a[1] || prepared[a[0]].entry[0].length - prepared[b[0]].entry[0].length);
    const least = ranked.length ? Math.min(ranked[0][1], SAME / 2) * LEAST : 0;
    const found = ranked.filter(([, score]) => score >= least).map(([number]) => prepared[number].entry);
    const without = new Set(product ? (await opspec.data("products"))[product].map((number) => prepared[number].entry[0]) : []);
    found.sort((a, b) => without.has(a[0]) - without.has(b[0]));
    const wholes = [compact(bare), compact(asked.join(""))];
    const first = prepared.find(({ entry }) => entry === found[0]);
    return { found, read: changed && !full ? words.join(" ") : null, without, named: Boolean(first?.names.some((name) => wholes.includes(name))) };
  };
})();
