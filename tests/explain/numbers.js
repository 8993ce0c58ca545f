// One numbering: `numbers.js HEDDLE [OPTION...] -- PROGRAM...`.  For each program that fails, under each memory model: the marks
// of the table are the preemptions that are counted, by check and by replay; the headline counts what JSON calls runs, which is
// the number of the execution that failed.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path");
const [heddle, ...rest] = process.argv.slice(2), at = rest.indexOf("--");
const options = rest.slice(0, at), programs = rest.slice(at + 1);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heddle-test.")), json = path.join(folder, "json");
let compared = 0, wrong = 0;
const run = words => spawnSync(heddle, words, { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" }, timeout: 60000 });
const say = (what, a, b) => { compared++; if (a !== b) { wrong++; console.log(`${what}: ${a} and ${b}`); } };
for (const program of programs)
  for (const memory of ["sc", "tso", "pso"])
    for (const strategy of ["auto", "random"]) {
      const words = ["--memory", memory, ...options, program], name = `${path.basename(program)} ${memory} ${strategy}`;
      const found = run(["check", "--strategy", strategy, "--executions", "300", "--minimize", "1s", "--verbose", "--json", json, ...words]);
      if (found.status !== 1)
        continue;
      const result = JSON.parse(fs.readFileSync(json)), failure = result.failures[0];
      const marks = text => (text.match(/» preempted/g) || []).length;
      say(`${name}: preemptions and marks`, failure.preemptions, marks(found.stdout));
      const headline = /failure after (\d+) execution/.exec(found.stdout);
      say(`${name}: headline and runs`, headline ? +headline[1] : -1, result.runs);
      say(`${name}: number of the failure and runs`, failure.execution, result.runs);
      const again = run(["replay", "--verbose", failure.schedule, ...words]).stdout;
      const counted = /with (\d+) preemption/.exec(again);
      say(`${name}: replay's preemptions and marks`, counted ? +counted[1] : -1, marks(again));
    }
fs.rmSync(folder, { recursive: true });
console.log(`${compared} numbers compared`);
process.exit(wrong || compared < 4 * programs.length ? 1 : 0);
