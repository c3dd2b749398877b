// Judges calls and compares with what Python says of them.
//
// node compare.js SCRIPT... < LINES: a line is {"operator": …, "release": …}, or [arguments by name, product, member, what
// Python says] of a call of the operator named last. Prints the number of calls, then a line per difference.
"use strict";

const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

for (const name of process.argv.slice(2)) vm.runInThisContext(fs.readFileSync(name, "utf8"), { filename: name });

function said(operator, [args, product, member]) {
  const { code, legal, violations, warnings, undecided } = opspec.judge(operator, opspec.arguments(operator, args), product, member);
  const rules = (findings) => findings.map(({ rule }) => rule);
  return [code, legal, violations.map(({ rule, enforcement, assumed }) => [rule, enforcement, assumed]), rules(warnings), rules(undecided)];
}

(async function () {
  let [operator, count] = [null, 0];
  const differences = [];
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const value = JSON.parse(line);
    if (!Array.isArray(value)) {
      operator = opspec.operators[value.release][value.operator];
      continue;
    }
    count += 1;
    let found;
    try {
      found = JSON.stringify(said(operator, value));
    } catch (error) {
      found = String(error.stack);
    }
    const expected = JSON.stringify(value[3]);
    if (found !== expected && differences.length < 20) differences.push([operator.name, line.slice(0, 4000), found]);
  }
  console.log(count);
  for (const difference of differences) console.log(JSON.stringify(difference));
})();
