// validate.js NODE_MODULES FILE...: each file against the schema of SARIF 2.1.0 that @microsoft/jest-sarif brings along,
// and what a schema cannot say: rule indices point to their rules, orders of execution are distinct.
const fs = require('fs'), path = require('path');
const [modules, ...files] = process.argv.slice(2);
const load = name => { const m = require(path.resolve(modules, name)); return m.default || m; };
const ajv = new (load('ajv-draft-04'))({strict: false, allErrors: true, unicodeRegExp: false});
load('ajv-formats')(ajv);
const folder = path.join(modules, '@microsoft/jest-sarif/lib/schemas');
const schema = fs.readdirSync(folder).find(f => f.startsWith('sarif-2.1.0'));
const valid = ajv.compile(JSON.parse(fs.readFileSync(path.join(folder, schema), 'utf8')));

function look(log) {
  if (!valid(log)) return ajv.errorsText(valid.errors, {separator: '; '});
  for (const run of log.runs) {
    for (const r of run.results) {
      const rule = run.tool.driver.rules[r.ruleIndex];
      if (!rule || rule.id !== r.ruleId) return `rule ${r.ruleIndex} is not ${r.ruleId}`;
      for (const flow of r.codeFlows || []) {
        const orders = flow.threadFlows.flatMap(t => t.locations.map(l => l.executionOrder));
        if (new Set(orders).size !== orders.length) return 'two steps at once';
      }
      if (!r.message.text || /^(\S+): \1/.test(r.message.text)) return `message ${r.message.text}`;
    }
  }
  return '';
}

let wrong = 0;
for (const file of files) {
  let why;
  try {
    why = look(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (e) {
    why = e.message;
  }
  const name = path.basename(file, '.sarif');
  console.log(why ? `FAIL sarif/${name}: ${why}` : `PASS sarif/${name}`);
  wrong |= why ? 1 : 0;
}
process.exit(wrong);
