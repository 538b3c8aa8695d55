import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestMap } from './choose-tests.ts';
import { findMutants, mutantsOf } from './find-mutants.ts';
import { applyEdit } from './mutant.ts';
import { sampleMutants } from './sample-mutants.ts';
import { siblingsIn, statusLists } from './statuses.ts';
import { listTargets, TARGETS } from './targets.ts';
import { listProcesses } from './temporary-tree.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the mutants that each operator makes of `source`. */
function planted(source: string, file = 'a.ts') {
  const siblings = siblingsIn(
    statusLists(new Map([['a.ts', "const X_STATUSES = ['open', 'paid'] as const;"]])),
    file,
  );
  return mutantsOf(file, source, siblings).map((mutant) => [mutant.operator, applyEdit(source, mutant)]);
}

test.each([
  ['a < b;', [['comparison', 'a <= b;']]],
  [
    'a >= 0n;',
    [
      ['comparison', 'a > 0n;'],
      ['constant', 'a >= 1n;'],
    ],
  ],
  ['a === b;', [['equality', 'a !== b;']]],
  ['a && b;', [['logic', '(a || b);']]],
  ['a - b;', [['arithmetic', 'a + b;']]],
  ['a += b;', [['arithmetic', 'a -= b;']]],
  ["'a' + b;", []],
  ['a ?? b;', [['nullish side', 'b;']]],
  ['f(!a);', [['negation', 'f(a);']]],
  ['if (a) throw b;', [['guard', ';']]],
  ['if (a) { log(); throw b; }', [['guard', ';']]],
  ['requireOwner(a);', [['guard', ';']]],
  ['for (const a of b) if (a) continue;', [['early exit', 'for (const a of b) ;']]],
  ['if (a) throw b; else c();', []],
  [
    "f({ scopes: ['x', 'y'] });",
    [
      ['scope', "f({ scopes: ['y'] });"],
      ['scope', "f({ scopes: ['x'] });"],
    ],
  ],
  ['f({ stepUp: true });', [['scope', 'f({ stepUp: false });']]],
  ['const KEPT_DAYS = 30;', [['constant', 'const KEPT_DAYS = 31;']]],
  ['const SLICE = 500;', []],
  ['a[0];', []],
  ["f({ status: 'open' });", [['status', "f({ status: 'paid' });"]]],
  ["type A = 'open'; let a: 'paid';", []],
  ['await lockIntent(tx);', [['lock', ';']]],
  ['(a as bigint) < b;', [['comparison', '(a as bigint) <= b;']]],
])('%s becomes what the operators say', (source, expected) => {
  expect(planted(source)).toEqual(expected);
});

test.each([
  [
    'select 1 from a where merchant_id = $1 and id = $2',
    [['sql merchant', 'select 1 from a where $1::uuid is not null and id = $2']],
  ],
  ['select 1 from a for no key update of a skip locked', [['sql lock', 'select 1 from a ']]],
  ['select 1 from a where b <= $1', [['sql comparison', 'select 1 from a where b < $1']]],
  ["select a ->> 'b' from c where d <> $1", []],
  ['select 1 from a where b is not null', [['sql null', 'select 1 from a where b is null']]],
  ['update a set b = b + $1', [['sql arithmetic', 'update a set b = b - $1']]],
  ["update a set status = 'open'", [['sql status', "update a set status = 'paid'"]]],
  ['Where is null found?', []],
])('in SQL: %s', (sql, expected) => {
  const code = (text: string) => `query(\`${text}\`);`;
  expect(planted(code(sql))).toEqual(expected.map(([operator, text]) => [operator, code(text!)]));
});

test('in a template the pieces around the placeholders are changed, the placeholders are not', () => {
  const mutants = planted(`query(\`select \${A} from b where c < \${d < e} and f is null\`);`);
  expect(mutants).toContainEqual([
    'sql null',
    `query(\`select \${A} from b where c < \${d < e} and f is not null\`);`,
  ]);
  expect(mutants).toContainEqual([
    'sql comparison',
    `query(\`select \${A} from b where c <= \${d < e} and f is null\`);`,
  ]);
});

test('a check of a migration is dropped as a whole', () => {
  const sql = 'create table a (b text check (char_length(b) between 1 and 2), check (b > 0));';
  expect(planted(sql, 'a.sql')).toEqual([
    ['sql check', 'create table a (b text check (true), check (b > 0));'],
    ['sql check', 'create table a (b text check (char_length(b) between 1 and 2), check (true));'],
  ]);
});

const all = findMutants(root, listTargets(root));

test('every line of the targets names files, and there are thousands of mutants of every operator', () => {
  expect(TARGETS.filter((glob) => globSync(glob, { cwd: root }).length === 0)).toEqual([]);
  expect(all.length).toBeGreaterThan(1_000);
  expect(new Set(all.map(({ operator }) => operator)).size).toBe(19);
});

test('the same seed gives the same mutants, of as many operators as there are', () => {
  const sample = sampleMutants(all, 7, 40);
  expect(sampleMutants(all, 7, 40)).toEqual(sample);
  expect(sampleMutants(all, 8, 40)).not.toEqual(sample);
  expect(sampleMutants(all, 7, 20)).toEqual(sample.slice(0, 20));
  expect([sample.length, new Set(sample).size, new Set(sample.map(({ operator }) => operator)).size]).toEqual(
    [40, 40, 19],
  );
});

test('a mutant is given to the tests beside it first, and never to those that look at how code is written', () => {
  const map = new TestMap(root);
  const mutant = all.find(({ file, operator }) => file.endsWith('/authenticate.ts') && operator === 'guard')!;
  const chosen = map.choose(mutant, readFileSync(join(root, mutant.file), 'utf8'), 16);
  expect(dirname(chosen[0]!)).toBe(dirname(mutant.file));
  expect(chosen.filter((file) => dirname(file) !== dirname(mutant.file)).length).toBeGreaterThan(5);
  expect(chosen.filter((file) => /tidy|docs/.test(file))).toEqual([]);
});

/** A tree of four files with one bug its test notices, one the types notice, and one that nobody does. */
const tiny = mkdtempSync(join(tmpdir(), 'florin-tiny-'));
const temporary = mkdtempSync(join(tmpdir(), 'florin-tiny-tmp-'));
afterAll(() => {
  for (const folder of [tiny, temporary]) rmSync(folder, { recursive: true, force: true });
});

beforeAll(() => {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tiny, file)), { recursive: true });
    writeFileSync(join(tiny, file), text);
  };
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  write('vitest.config.ts', 'export default {};');
  write('test/mutants/vitest.config.ts', readFileSync(join(import.meta.dirname, 'vitest.config.ts'), 'utf8'));
  write(
    'src/tiny.ts',
    `export function isOpen(now: number, end: number): boolean {
  return now < end;
}
export function nameOf(row: { name: string } | undefined): string {
  if (!row) return '';
  return row.name;
}
export function isLate(now: number, end: number): boolean {
  return now > end;
}
`,
  );
  write(
    'src/tiny.test.ts',
    `import { expect, test } from 'vitest';
import { isLate, isOpen, nameOf } from './tiny.ts';
test('closed at its end', () => expect([isOpen(1, 2), isOpen(2, 2)]).toEqual([true, false]));
test('the rest', () => expect([isLate(3, 2), nameOf(undefined), nameOf({ name: 'a' })]).toEqual([true, '', 'a']));
`,
  );
  symlinkSync(join(root, 'node_modules'), join(tiny, 'node_modules'));
});

function startRun(...args: string[]) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'run.ts'), '--root', tiny, '--only', 'src/tiny.ts', ...args],
    { env: { ...process.env, TMPDIR: temporary }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, output })) };
}

test('a run says which mutants the test, the types and nobody caught, and leaves nothing behind', async () => {
  const before = readFileSync(join(tiny, 'src/tiny.ts'), 'utf8');
  const { code, output } = await startRun('--count', '9', '--fail-under', '95').ended;
  expect(output).toMatch(
    /caught {3}src\/tiny\.ts:2 {2}\[comparison\] now < end → now <= end\n.*tiny\.test\.ts: closed at its end/,
  );
  expect(output).toMatch(/types {4}src\/tiny\.ts:5 {2}\[early exit\]/);
  expect(output).toMatch(/SURVIVED src\/tiny\.ts:9 {2}\[comparison\] now > end → now >= end\n.*1 test files/);
  expect(output).toContain('pass on the unchanged code');
  expect(output).toMatch(
    /4 mutants: . caught by a test, 0 by a time limit, . by the types, 1 survived \(75\.0 % caught\)/,
  );
  expect(code).toBe(1);
  expect(readFileSync(join(tiny, 'src/tiny.ts'), 'utf8')).toBe(before);
  expect(readdirSync(temporary)).toEqual([]);
});

/** Waits until the run has made its copy. */
const copied = () => expect.poll(() => readdirSync(temporary)).toHaveLength(1);

/** Waits until the compiler works in the copy: it outlives a run that is killed, and would recreate the folder. */
const compiling = () =>
  expect.poll(() => listProcesses(join(temporary, readdirSync(temporary)[0]!))).not.toHaveLength(0);

test('a run that is interrupted removes its copy; one that is killed leaves it to the next run', async () => {
  const interrupted = startRun();
  await copied();
  interrupted.child.kill('SIGINT');
  expect((await interrupted.ended).code).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);

  const killed = startRun();
  await copied();
  await compiling();
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(readdirSync(temporary)).toHaveLength(1);
  await startRun('--count', '0').ended;
  expect(readdirSync(temporary)).toEqual([]);
});

test('--list plants nothing: it prints every mutant and how many there are', async () => {
  const { code, output } = await startRun('--list').ended;
  expect([code, output.split('\n').filter(Boolean).at(-1)]).toEqual([0, '     4 mutants']);
  expect(output).toContain('src/tiny.ts:9  [comparison] now > end → now >= end');
});
