import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { requireTool } from './support/debian.ts';
import { temporaryFolder } from './support/process.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy/monitoring');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
/** Metrics in the table; test/process.test.ts compares it with what processes serve. */
const metrics = new Set(
  [...readFileSync(join(root, 'docs/operating.md'), 'utf8').matchAll(/^\| `(florin_\w+)` \|/gm)].map(
    ([, name]) => name!,
  ),
);

const unknownIn = (text: string) =>
  [...text.matchAll(/\bflorin_\w+/g)]
    .map(([name]) => (metrics.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')))
    .filter((name) => !metrics.has(name));

function promtool(...args: string[]): string {
  requireTool('promtool', 'prometheus');
  return execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

test('every alert names metrics that exist, fires for what it is about, and is silent while all is well', () => {
  const rules = read('alerts.yml');
  expect(unknownIn(rules)).toEqual([]);
  expect(unknownIn('florin_nothing_seconds_count florin_rpc_call_duration_seconds_bucket')).toHaveLength(1);
  promtool('check', 'rules', 'alerts.yml');
  promtool('test', 'rules', 'alerts.test.yml');
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const tried = new Set([...read('alerts.test.yml').matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!));
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
});

test('every query of the dashboard is well formed, and names metrics that exist', async () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  expect(queries.flatMap(unknownIn)).toEqual([]);
  const rules = queries.map((expr, i) => ({
    record: `query_${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(await temporaryFolder(cleanUp), 'queries.yml');
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  promtool('check', 'rules', file);
});
