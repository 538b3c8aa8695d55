import { expect, test } from 'vitest';
import { crashUnderLoad } from './support/crash.ts';
import { newDataFolder } from './support/data-folder.ts';

/** `npm run chaos -- --rounds 100` runs many more of these. */

test('kill -9 of the service under load: nothing acknowledged is lost or doubled', async () => {
  const dataFolder = await newDataFolder();
  const report = await crashUnderLoad({ dataFolder, rounds: 6, victim: 'service' });
  expect(report.acknowledged).toBeGreaterThan(1_000);
  expect({ lost: report.lost, doubled: report.doubled }).toEqual({ lost: [], doubled: [] });
});

test('kill -9 of PostgreSQL under load: it restarts automatically, nothing acknowledged is lost or doubled', async () => {
  const dataFolder = await newDataFolder();
  const report = await crashUnderLoad({ dataFolder, rounds: 5, victim: 'postgres' });
  expect(report.acknowledged).toBeGreaterThan(1_000);
  expect({ lost: report.lost, doubled: report.doubled }).toEqual({ lost: [], doubled: [] });
});

test('the check can fail: with synchronous commit off acknowledged intents are lost', async () => {
  const dataFolder = await newDataFolder();
  const report = await crashUnderLoad({
    dataFolder,
    rounds: 3,
    victim: 'postgres',
    prepare: [
      'alter database florin set synchronous_commit = off',
      `alter system set wal_writer_delay = '10s'`,
      'select pg_reload_conf()',
    ],
  });
  expect(report.lost.length).toBeGreaterThan(0);
});
