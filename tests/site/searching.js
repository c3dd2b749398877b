// Looks queries up as a page of the site does. Arguments: find.js, the folder of a release's data, the language.
// Standard input: the queries, as JSON; output: of each what it was read as, and the titles found.
"use strict";

const fs = require("fs");
const vm = require("vm");
const zlib = require("zlib");
const [script, folder, lang] = process.argv.slice(2);
const given = new Map();

globalThis.document = { documentElement: { dataset: { lang } } };
globalThis.opspec = {
  give: (name, value, packed) =>
    given.set(name, packed ? JSON.parse(zlib.inflateRawSync(Buffer.from(packed, "base64")).toString()) : value),
  async data(name, file = name) {
    if (!given.has(name)) vm.runInThisContext(fs.readFileSync(`${folder}/${file}.js`, "utf8"));
    return given.get(name);
  },
};
vm.runInThisContext(fs.readFileSync(script, "utf8"));

(async () => {
  const answers = [];
  for (const query of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const { found, read } = await opspec.search(query);
    answers.push({ read, titles: found.slice(0, 10).map(([title]) => title) });
  }
  console.log(JSON.stringify(answers));
})();
