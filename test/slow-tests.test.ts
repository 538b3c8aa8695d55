import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeSlowest, type FileTiming } from '../scripts/slow-tests/slowest.ts';
import { cleanUp } from './support/clean-up.ts';
import { temporaryFolder } from './support/process.ts';

const root = join(import.meta.dirname, '..');

test('the reporter records every file and test of a run, failed ones too', async () => {
  const folder = await temporaryFolder(cleanUp);
  const file = join(folder, 'cache/timings.json');
  const reporter = join(root, 'scripts/slow-tests/timing-reporter.ts');
  const config = { test: { globals: true, reporters: ['default', [reporter, { file }]] } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`);
  await writeFile(
    join(folder, 'one.test.js'),
    `describe('sums', () => { test('add up', () => {}); test('or do not', () => { throw new Error('no') }); });`,
  );
  await writeFile(join(folder, 'two.test.js'), `test('alone', () => {});`);
  const run = promisify(execFile)('node_modules/.bin/vitest', ['run', '--root', folder], { cwd: root });
  await expect(run).rejects.toThrow();
  const timings: FileTiming[] = JSON.parse(await readFile(file, 'utf8'));
  const recorded = timings.map(({ file, tests }) => [file, ...tests.map(({ name }) => name)]).sort();
  expect(recorded).toEqual([
    ['one.test.js', 'sums > add up', 'sums > or do not'],
    ['two.test.js', 'alone'],
  ]);
  expect(timings.every(({ ms, tests }) => ms > 0 && tests.every((one) => ms >= one.ms))).toBe(true);
});

test('ten of each, the slowest first', () => {
  const timings = Array.from({ length: 12 }, (_, i) => ({
    ...{ file: `${i}.test.ts`, ms: i * 1_000 },
    tests: [{ name: `test ${i}`, ms: i * 500 }],
  }));
  const lines = describeSlowest(timings).split('\n');
  expect(lines[0]).toBe('12 files, 12 tests, 66.0 s in all workers together');
  expect(lines[3]).toBe('    11.0 s  11.test.ts (1 tests)');
  expect(lines.filter((line) => line.includes(' > '))).toHaveLength(10);
  expect(lines).toContain('     5.5 s  11.test.ts > test 11');
});
