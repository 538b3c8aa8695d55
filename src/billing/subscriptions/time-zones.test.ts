import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Dates of periods as another process sees them, wherever it believes to be. */
const PROGRAM = `
  const { periodStart } = await import('./src/billing/subscriptions/period.ts');
  const { prorate } = await import('./src/billing/subscriptions/prorate.ts');
  const seen = [];
  for (const interval of ['day', 'week', 'month', 'year'])
    for (let day = 0; day < 366; day++) {
      const anchor = new Date(Date.UTC(2028, 0, 1, 0, 30) + day * 86400000);
      for (const n of [1, 2, 7, 13]) seen.push(periodStart(anchor, { interval, count: 1 }, n).toISOString());
      const end = periodStart(anchor, { interval, count: 1 }, 1);
      seen.push(String(prorate({ start: anchor, end }, new Date((+anchor + +end) / 2), 999n, 2001n).chargeCents));
    }
  console.log(seen.join('\\n'));`;

test('the same periods and cents in every time zone of the host', async () => {
  const zones = ['UTC', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe'];
  const answers = await Promise.all(
    zones.map((TZ) =>
      run(process.execPath, ['--input-type=module', '-e', PROGRAM], {
        env: { ...process.env, TZ },
        maxBuffer: 1e7,
      }),
    ),
  );
  const [utc, ...others] = answers.map(({ stdout }) => stdout);
  expect(utc!.split('\n').length).toBeGreaterThan(7_000);
  expect(utc).toContain('2028-02-29T00:30:00.000Z');
  for (const other of others) expect(other).toBe(utc);
}, 60_000);
