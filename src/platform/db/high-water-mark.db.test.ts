import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from './database.ts';
import { openHighWaterMark, readWentBack, startLineage } from './high-water-mark.ts';

const NOW = new Date('2026-01-31T12:00:00Z');

async function installed(): Promise<Database> {
  const db = await testDatabase();
  await db.query(
    `insert into installation (network, sealed_check, created_at) values ('sandbox', '', now())`,
  );
  return db;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-mark-'));
  cleanUp(() => rm(folder, { recursive: true }));
  return folder;
}

const fileIn = (folder: string) => join(folder, 'database-mark.json');

/** A process that has started on this database; what it said is in `said`. */
async function processOn(db: Database, dataFolder: string) {
  const said: string[] = [];
  const mark = await openHighWaterMark({
    ...{ db, file: fileIn(dataFolder) },
    now: () => NOW,
    say: (text) => said.push(text),
  });
  await mark.check();
  return { ...mark, said };
}

const write = (db: Database) => db.query(`update installation set clock_offset_ms = clock_offset_ms + 1`);

async function writeAndCheck(db: Database, { check }: { check(): Promise<void> }, times: number) {
  for (let i = 0; i < times; i++) {
    await write(db);
    await check();
  }
}

/** The same database as it was some writes ago, as an old primary or a restored disk has it. */
const goBack = (db: Database) => db.query('update installation set beat = beat - 2');

test('a database that has lost acknowledged writes is noticed while a process runs, by its peers, and after a restart', async () => {
  const db = await installed();
  const [own, other] = [await newFolder(), await newFolder()];
  const one = await processOn(db, own);
  const peer = await processOn(db, other);
  await writeAndCheck(db, one, 3);
  expect([one.problem(), one.said]).toEqual([undefined, []]);

  await goBack(db);
  const [now] = await db.query<{ beat: bigint }>('select beat from installation');
  await one.check();
  await one.check();
  const problem = `the database has gone back in time: it had reached mark ${now!.beat + 2n} at 2026-01-31T12:00:00.000Z and is at ${now!.beat} now, so writes that were acknowledged are gone`;
  expect(one.problem()).toBe(problem);
  expect(one.said).toEqual([expect.stringContaining('florin reconcile --repair')]);
  expect(await readWentBack(db, fileIn(other))).toBe(problem);

  await writeAndCheck(db, peer, 5);
  expect(peer.problem()).toBe(problem);
  expect((await processOn(db, own)).problem()).toBe(problem);

  await startLineage(db);
  for (const mark of [one, peer]) {
    await mark.check();
    expect(mark.problem()).toBeUndefined();
  }
  expect(await readWentBack(db, fileIn(other))).toBeUndefined();
});

test('it is noticed by a process that was not running meanwhile', async () => {
  const db = await installed();
  const folder = await newFolder();
  await writeAndCheck(db, await processOn(db, folder), 3);
  expect(await readWentBack(db, fileIn(folder))).toBeUndefined();
  await goBack(db);
  // By doctor too, before it is started.
  expect(await readWentBack(db, fileIn(folder))).toContain('gone back in time');
  expect((await processOn(db, folder)).problem()).toContain('gone back in time');
});

test('a damaged file and a folder that cannot be written are no database that went back', async () => {
  const db = await installed();
  const folder = await newFolder();
  await writeAndCheck(db, await processOn(db, folder), 3);
  expect(await readdir(folder)).toEqual(['database-mark.json']);
  await writeFile(join(folder, 'database-mark.json'), '{"beat":"9');
  const started = await processOn(db, folder);
  expect(started.problem()).toBeUndefined();
  expect(started.said).toEqual([expect.stringContaining('cannot be read')]);
  const nowhere = await processOn(db, join(folder, 'none'));
  await writeAndCheck(db, nowhere, 2);
  await goBack(db);
  await nowhere.check();
  expect(nowhere.problem()).toContain('gone back in time');
});

test('an older server from before a database was accepted is noticed until it is accepted for the mark of the process', async () => {
  const [db, old] = [await installed(), await installed()];
  const folder = await newFolder();
  await db.query('update installation set lineage = $1', [await lineageOf(old)]);
  await writeAndCheck(db, await processOn(db, folder), 2);
  // The same data continues under another name, and its former one is known.
  await startLineage(db);
  const one = await processOn(db, folder);
  await writeAndCheck(db, one, 2);
  expect(one.problem()).toBeUndefined();

  const stale = await processOn(old, folder);
  const problem = 'this is not the database of before: ';
  expect([stale.problem(), stale.said]).toEqual([
    expect.stringContaining(problem),
    [expect.stringContaining('with the settings of this process')],
  ]);
  expect(await readWentBack(old, fileIn(folder))).toContain(problem);
  expect((await processOn(db, folder)).problem()).toBeUndefined();
  // Peers with marks of their own are not affected by one that may be in the wrong place.
  expect((await processOn(old, await newFolder())).problem()).toBeUndefined();
  await startLineage(old, fileIn(folder));
  await stale.check();
  expect(stale.problem()).toBeUndefined();
});

async function lineageOf(db: Database): Promise<string> {
  const [row] = await db.query<{ lineage: string }>('select lineage from installation');
  return row!.lineage;
}
