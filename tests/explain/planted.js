// Planted causes: programs with one known cause among busy, correct code.
//
//     planted.js HEDDLE DIRECTORY SEED PROGRAMS
//
// Each program has one planted cause; what surrounds it is correct and uses the same kinds of operations.  The report must
// name the pattern and the object, and no object of the busy code; with the repair applied that it proposes (-DFIXED), no
// failure may be left.  Prints what is wrong, and last a line of figures; exit status 1 if anything is wrong.
const {spawnSync} = require('child_process');
const fs = require('fs');
const [heddle, directory, first, count] = process.argv.slice(2);
let seed;
const random = n => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
const pick = list => list[random(list.length)];

const busy = `
static int b_count, b_low, b_high, b_log[4], b_logged, b_config = 3;
static atomic_int b_hits;
static pthread_mutex_t b_m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t b_rw = PTHREAD_RWLOCK_INITIALIZER;
static void b_counts(void)
{
        pthread_mutex_lock(&b_m);
        b_count++;
        pthread_mutex_unlock(&b_m);
}
static void b_pair(void)
{
        pthread_rwlock_wrlock(&b_rw);
        b_low++;
        b_high = b_low;
        pthread_rwlock_unlock(&b_rw);
}
static void b_logs(void)
{
        pthread_mutex_lock(&b_m);
        if (b_logged < 4)
                b_log[b_logged++] = b_config;
        pthread_mutex_unlock(&b_m);
}
static void b_hit(void)
{
        atomic_fetch_add(&b_hits, 1);
}
`;
const noise = () => pick(['b_counts();', 'b_pair();', 'b_logs();', 'b_hit();', '', '']);

// Each: pattern, object, what the repair must say, declarations, two thread functions, what main does first and last.
const causes = [
  () => ({pattern: 'lost update', object: 'total', repair: /make total atomic|hold .*mutex/,
    globals: 'static int total; static pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;',
    a: ['FIX pthread_mutex_lock(&tm);', 'total += 2;', 'FIX pthread_mutex_unlock(&tm);'],
    b: ['FIX pthread_mutex_lock(&tm);', 'total += 2;', 'FIX pthread_mutex_unlock(&tm);'], last: 'assert(total == 4);'}),
  () => ({pattern: 'lost update', object: 'sum', repair: /keep mutex sm locked|hold/,
    globals: 'static int sum; static pthread_mutex_t sm = PTHREAD_MUTEX_INITIALIZER;',
    a: ['int v;', 'pthread_mutex_lock(&sm);', 'v = sum;', 'BUG pthread_mutex_unlock(&sm);', 'NOISE',
      'BUG pthread_mutex_lock(&sm);', 'sum = v + 1;', 'pthread_mutex_unlock(&sm);'],
    b: ['pthread_mutex_lock(&sm);', 'sum++;', 'pthread_mutex_unlock(&sm);'],
    last: 'int seen = sum;\n        b_counts();\n        assert(seen == 2);'}),
  () => ({pattern: 'lost update', object: 'refs', repair: /one atomic read-modify-write/,
    globals: 'static atomic_int refs;',
    a: ['FIX atomic_fetch_add(&refs, 1);', 'BUG int r = atomic_load(&refs);', 'NOISE', 'BUG atomic_store(&refs, r + 1);'],
    b: ['atomic_fetch_add(&refs, 1);'], last: 'return refs != 2;', status: true}),
  () => ({pattern: 'check-then-act', object: 'stock', repair: /keep mutex km locked|hold/,
    globals: 'static int stock = 1; static pthread_mutex_t km = PTHREAD_MUTEX_INITIALIZER;',
    a: ['pthread_mutex_lock(&km);', 'int there = stock;', 'BUG pthread_mutex_unlock(&km);', 'NOISE', 'if (there > 0) {',
      'BUG         pthread_mutex_lock(&km);', '        stock--;', 'BUG         pthread_mutex_unlock(&km);', '}',
      'FIX pthread_mutex_unlock(&km);'],
    b: ['pthread_mutex_lock(&km);', 'if (stock > 0)', '        stock--;', 'pthread_mutex_unlock(&km);'],
    last: 'assert(stock >= 0);'}),
  () => ({pattern: 'check-then-act', object: 'head', repair: /hold .*mutex/,
    globals: 'struct node { int v; }; static struct node n0, *head = &n0; static pthread_mutex_t hm = PTHREAD_MUTEX_INITIALIZER;',
    a: ['FIX pthread_mutex_lock(&hm);', 'if (head) {', 'BUG         b_hit();', '        head->v = 1;', '}',
      'FIX pthread_mutex_unlock(&hm);'],
    b: ['pthread_mutex_lock(&hm);', 'head = NULL;', 'pthread_mutex_unlock(&hm);'], last: ''}),
  () => ({pattern: 'lost wakeup', object: 'wake', repair: /hold .* from the check/,
    globals: 'static int ready; static pthread_mutex_t wm = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;',
    a: ['pthread_mutex_lock(&wm);', 'while (!ready)', '        pthread_cond_wait(&wake, &wm);', 'pthread_mutex_unlock(&wm);'],
    b: ['FIX pthread_mutex_lock(&wm);', 'ready = 1;', 'pthread_cond_signal(&wake);', 'FIX pthread_mutex_unlock(&wm);'], last: ''}),
  () => ({pattern: 'lock-order inversion', object: 'left', repair: /same order/,
    globals: 'static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;',
    a: ['pthread_mutex_lock(&left);', 'NOISE', 'pthread_mutex_lock(&right);', 'pthread_mutex_unlock(&right);', 'pthread_mutex_unlock(&left);'],
    b: ['BUG pthread_mutex_lock(&right);', 'pthread_mutex_lock(&left);', 'FIX pthread_mutex_lock(&right);',
      'pthread_mutex_unlock(&left);', 'pthread_mutex_unlock(&right);'], last: ''}),
  () => ({pattern: 'use after hand-over', object: 'slot', repair: /do not use the block in T1/,
    globals: 'struct job { int id; }; static struct job *_Atomic slot;',
    a: ['struct job *j = malloc(sizeof *j);', 'j->id = 1;', 'slot = j;', 'NOISE', 'BUG j->id = 2;'],
    b: ['struct job *j = slot;', 'if (j) {', '        slot = NULL;', '        free(j);', '}'],
    last: 'free(slot);'}),
  () => ({pattern: 'missing re-check', object: 'items', repair: /`while' instead of `if'/,
    globals: 'static int items; static pthread_mutex_t im = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t more = PTHREAD_COND_INITIALIZER;',
    a: ['pthread_mutex_lock(&im);', 'FIX while (!items)', 'BUG if (!items)', '        pthread_cond_wait(&more, &im);',
      'items--;', 'assert(items >= 0);', 'pthread_mutex_unlock(&im);'],
    b: ['pthread_mutex_lock(&im);', 'items++;', 'pthread_cond_signal(&more);', 'pthread_mutex_unlock(&im);', 'NOISE',
      'pthread_mutex_lock(&im);', 'if (items)', '        items--;', 'pthread_mutex_unlock(&im);'],
    last: 'b_counts();', stuck: true}),
  () => ({pattern: 'use before initialisation', object: 'value', repair: /write value before go/,
    globals: 'static int value; static atomic_int go;',
    a: ['FIX value = 7;', 'go = 1;', 'NOISE', 'BUG value = 7;'],
    b: ['if (go)', '        assert(value == 7);'], last: ''}),
  () => ({pattern: 'inconsistent read', object: 'low', repair: /hold .*mutex|hold mutex/,
    globals: 'static int low, high; static pthread_mutex_t pm = PTHREAD_MUTEX_INITIALIZER;',
    a: ['pthread_mutex_lock(&pm);', 'low++;', 'high++;', 'pthread_mutex_unlock(&pm);'],
    b: ['FIX pthread_mutex_lock(&pm);', 'int l = low;', 'int h = high;', 'FIX pthread_mutex_unlock(&pm);', 'NOISE',
      'assert(l == h);'], last: ''}),
  () => ({pattern: 'ABA', object: 'top', repair: /version number/,
    globals: 'static struct cell { struct cell *_Atomic next; } c2, c1 = {&c2}; static struct cell *_Atomic top = &c1; static atomic_int taken;',
    a: ['FIX return a;', 'struct cell *old = top;', 'NOISE', 'if (old) {', '        struct cell *next = old->next;',
      '        atomic_compare_exchange_strong(&top, &old, next);', '}'],
    b: ['top = &c2;', 'top = NULL;', 'taken = 1;', 'c1.next = NULL;', 'NOISE', 'top = &c1;'], last: 'assert(!taken || top != &c2);'}),
];

function thread(name, lines) {
  const body = lines.flatMap(line => {
    if (line === 'NOISE') line = noise();
    const fix = line.startsWith('FIX '), bug = line.startsWith('BUG ');
    const text = '        ' + (fix || bug ? line.slice(4) : line);
    return fix ? ['#ifdef FIXED', text, '#endif'] : bug ? ['#ifndef FIXED', text, '#endif'] : [text];
  });
  return `static void *${name}(void *a)\n{\n        ${noise()}\n${body.join('\n')}\n        ${noise()}\n        return a;\n}\n`;
}

function program(c) {
  return '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n' + c.globals + busy +
    thread('first', c.a) + thread('second', c.b) +
    'int main(void)\n{\n        pthread_t t, u;\n        pthread_create(&t, NULL, first, NULL);\n' +
    '        pthread_create(&u, NULL, second, NULL);\n        pthread_join(t, NULL);\n        pthread_join(u, NULL);\n        ' +
    c.last + (c.status ? '\n}\n' : '\n        return 0;\n}\n');
}

function check(file, ...more) {
  const json = file + '.json';
  const r = spawnSync(heddle, ['check', '-w', '--quiet', '--time', '20s', '--json', json, ...more, file], {encoding: 'utf8'});
  return {status: r.status, result: fs.existsSync(json) ? JSON.parse(fs.readFileSync(json)) : null, text: r.stdout + r.stderr};
}

let wrong = 0;
const figures = {programs: 0, patterns: new Set()};
for (let i = 0; i < +count; i++) {
  seed = +first + i;
  random(2);
  const c = causes[i % causes.length]();
  const file = `${directory}/planted_${seed}_${i}.c`;
  const complain = text => { console.log(`${file} (${c.pattern} of ${c.object}): ${text}`); wrong++; };
  fs.writeFileSync(file, program(c));
  const ignored = c.stuck ? ['--ignore-failures', 'deadlock'] : [];
  const found = check(file, ...ignored);
  const f = found.result && found.result.failures[0];
  figures.programs++;
  if (found.status !== 1 || !f) { complain(`status ${found.status}, no failure: ${found.text}`); continue; }
  figures.patterns.add(c.pattern);
  if (f.pattern !== c.pattern) complain(`pattern ${f.pattern}: ${f.explanation}`);
  else if (!new RegExp('\\b' + c.object + '\\b').test(f.explanation)) complain(`does not name it: ${f.explanation}`);
  if (/\bb_[a-z]+\b/.test(f.explanation)) complain(`names busy code: ${f.explanation}`);
  if (!c.repair.test(f.repair)) complain(`repair: ${f.repair}`);
  const fixed = check(file, '-DFIXED', '--bound', '2', '--executions', '2000', ...ignored);
  if (fixed.status !== 0 && fixed.status !== 4) complain(`with the repair: status ${fixed.status} ${fixed.text}`);
}
console.log(`${figures.programs} programs, ${figures.patterns.size} patterns, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
