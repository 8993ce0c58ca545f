// Minimised failures against what plain search knows.
//
//     minimum.js HEDDLE REPLAYS PROGRAM [ARG...] [, PROGRAM ...]
//
// Each program is searched with random schedules, once without and once with minimisation.  Both must find the same
// failures (kind, key, number of the execution, count); a minimised one must have as many preemptions as the smallest bound
// with which dfs finds it; and its schedule must replay to the same failure.  Where all executions fail in one way, and only
// there, must it be certain from the beginning.  REPLAYS: how many failures of a program are checked, at most.  SEARCH in
// the environment: other options of the search.  Prints what is wrong, and last a line of figures; exit status 1 if
// anything is wrong.
const {spawnSync} = require('child_process');
const [heddle, most, ...words] = process.argv.slice(2);
const figures = {programs: 0, failures: 0, was: 0, now: 0, inflections: 0, compared: 0};
let wrong = 0;


function sarif(args, expected) {
  const r = spawnSync(heddle, args, {encoding: 'utf8', maxBuffer: 1 << 28});
  if (!expected.includes(r.status)) throw new Error(`${args.join(' ')}: status ${r.status}: ${r.stderr}`);
  return JSON.parse(r.stdout).runs[0];
}

function findings(args, expected) {
  return sarif(args, expected).results.filter(x => x.partialFingerprints && x.partialFingerprints['heddleFailure/v1']).map(x => ({
    id: x.ruleId + ' ' + x.partialFingerprints['heddleFailure/v1'], ...x.properties}));
}

function complain(program, text) {
  console.log(`${program.join(' ')}: ${text}`);
  wrong++;
}

function smallest(program, id, bound) {
  for (let b = 0; b <= bound; b++) {
    const all = findings(['check', '--strategy', 'dfs', '--bound', `${b}`, '--keep-going', '--minimize', 'never', '--time', '20s',
      '--sarif', '-', ...program], [0, 1, 4]);
    if (all.some(f => f.id === id)) return b;
  }
  return bound + 1;
}

// Do all executions fail, and in one way?  undefined: that is not known.
function always(program) {
  const run = sarif(['check', '--strategy', 'dfs', '--keep-going', '--minimize', 'never', '--time', '5s', '--sarif', '-',
    ...program], [0, 1, 4]);
  if (!run.properties.complete || run.results.length !== 1) return undefined;
  return run.results[0].properties.count === run.properties.executions;
}

function check(program) {
  const options = (process.env.SEARCH || '--strategy random --seed 5 --executions 100').split(' ');
  const search = ['check', ...options, '--keep-going', '--sarif', '-'];
  const before = findings([...search, '--minimize', 'never', ...program], [0, 1, 4]);
  const after = findings([...search, '--minimize', '20s', ...program], [0, 1, 4]);
  const key = f => `${f.id} in ${f.execution}, ${f.count} times`;

  figures.programs++;
  if (before.map(key).join() !== after.map(key).join())
    return complain(program, `found ${before.map(key)}, minimised ${after.map(key)}`);
  if (after.length) {
    const sure = always(program);
    if (sure !== undefined && 'inflection' in after[0] && sure !== (after[0].inflection === 0))
      complain(program, `fails always: ${sure}, certain from step ${after[0].inflection} on`);
    figures.compared += sure !== undefined;
  }
  for (const [i, f] of after.entries()) {
    if (i >= most) break;
    figures.failures++;
    figures.was += before[i].preemptions;
    figures.now += f.preemptions;
    figures.inflections += 'inflection' in f;
    const least = smallest(program, f.id, f.preemptions);
    if (f.preemptions !== least || !f.fewest)
      complain(program, `${f.id}: ${f.preemptions} preemptions (fewest: ${f.fewest}), dfs finds it with ${least}`);
    if (!findings(['replay', f.schedule, '--sarif', '-', '--', ...program], [1]).some(r => r.id === f.id))
      complain(program, `${f.schedule} does not replay to ${f.id}`);
  }
}

for (let program = [], i = 0; i <= words.length; i++) {
  if (i < words.length && words[i] !== ',') {
    program.push(words[i]);
    continue;
  }
  try {
    check(program);
  } catch (e) {
    complain(program, e.message);
  }
  program = [];
}
console.log(`${figures.programs} programs, ${figures.failures} failures, preemptions ${figures.was} before, ${figures.now} after, ` +
  `${figures.inflections} inflection points, ${figures.compared} compared`);
process.exit(wrong ? 1 : 0);
