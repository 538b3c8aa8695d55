import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { LOCKS, tryAlone } from '../../platform/db/advisory-locks.ts';
import type { Database } from '../../platform/db/database.ts';
import { findLastBackup } from '../../platform/db/installation.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { decrypted } from '../table-file/encryption.ts';
import { type BackupSchedule, backUpIfDue } from './scheduled-backup.ts';
import { verifyBackup } from './verify.ts';

const START = new Date('2026-03-01T00:00:00Z');
const after = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);

async function installed(): Promise<Database> {
  const db = await testDatabase();
  await db.query(
    `insert into installation (network, sealed_check, created_at) values ('sandbox', '', '2026-01-31T12:00:00Z')`,
  );
  return db;
}

async function scheduled(more: Partial<BackupSchedule> = {}): Promise<BackupSchedule> {
  return { folder: await temporaryFolder(cleanUp), everyMs: 24 * HOUR_MS, keep: 2, recipients: [], ...more };
}

const daysOf = async ({ folder }: BackupSchedule) =>
  (await readdir(folder))
    .flatMap((name) => /^florin-[0-9a-f]{8}-([\d-]{10})T00-00-00Z\.backup$/.exec(name)?.[1] ?? [])
    .sort();

test('one is made when the last is old enough, the oldest of this database goes, and what others wrote stays', async () => {
  // The other is as a copy that was restored: everything is the same but its lineage.
  const [db, other] = [await installed(), await installed()];
  const schedule = await scheduled();
  const foreign = ['florin-2026-01-31.backup', 'florin-notes-2020-01-01T00-00-00Z.backup', 'letters.txt'];
  for (const name of foreign) await writeFile(join(schedule.folder, name), name);
  const first = await backUpIfDue(db, schedule, after(0));
  expect(await verifyBackup(createReadStream(first!.file))).toMatchObject({ network: 'sandbox' });
  expect(first!.bytes).toBe((await readFile(first!.file)).length);
  expect(await findLastBackup(db)).toEqual(after(0));
  expect(await backUpIfDue(db, schedule, after(23))).toBeUndefined();
  // A process that was killed leaves a part behind; those of earlier releases had another name.
  for (const part of ['part', '0123abcd.part']) await writeFile(`${first!.file}.${part}`, 'half');
  for (const day of [1, 2]) expect(await backUpIfDue(db, schedule, after(24 * day))).toBeDefined();
  expect(await daysOf(schedule)).toEqual(['2026-03-02', '2026-03-03']);
  // Another database counts its own.
  expect((await backUpIfDue(other, schedule, after(48)))?.deleted).toEqual([]);
  expect(await daysOf(schedule)).toEqual(['2026-03-02', '2026-03-03', '2026-03-03']);
  const left = await readdir(schedule.folder);
  expect(left).toEqual(expect.arrayContaining(foreign));
  expect(left.filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a clock that was wrong puts nothing off, and what it left takes no place', async () => {
  const db = await installed();
  const schedule = await scheduled({ keep: 1 });
  await backUpIfDue(db, schedule, new Date('2031-01-01T00:00:00Z'));
  const made = await backUpIfDue(db, schedule, after(0));
  expect(made?.deleted).toEqual([]);
  expect((await backUpIfDue(db, schedule, after(24)))?.deleted).toHaveLength(1);
  expect(await daysOf(schedule)).toEqual(['2026-03-02', '2031-01-01']);
});

test('one that fails or is interrupted leaves those before it, and no part of its own', async () => {
  const db = await installed();
  const schedule = await scheduled({ keep: 1 });
  const first = await backUpIfDue(db, schedule, after(0));
  const before = await readdir(schedule.folder);
  const stopped = AbortSignal.abort();
  await expect(backUpIfDue(db, schedule, after(24), stopped)).rejects.toThrow();
  expect(await readdir(schedule.folder)).toEqual(before);
  const blocked = first!.file.replace('03-01T', '03-02T');
  await mkdir(join(blocked, 'in the way'), { recursive: true });
  await expect(backUpIfDue(db, schedule, after(24))).rejects.toThrow('is a folder, not a file');
  expect(await verifyBackup(createReadStream(first!.file))).toBeDefined();
  expect(await findLastBackup(db)).toEqual(after(0));
  await rm(schedule.folder, { recursive: true });
  await expect(backUpIfDue(db, schedule, after(24))).rejects.toThrow('create it, or mount its disk');
});

test('only one process at a time makes one', async () => {
  const db = await installed();
  const schedule = await scheduled();
  await tryAlone(db, LOCKS.scheduledBackup, async () => {
    expect(await backUpIfDue(db, schedule, after(0))).toBeUndefined();
  });
  const both = await Promise.all([1, 2].map(() => backUpIfDue(db, schedule, after(0))));
  expect(both.filter(Boolean)).toHaveLength(1);
});

test('it is encrypted for whom it is for', async () => {
  const db = await installed();
  const identity = await generateX25519Identity();
  const schedule = await scheduled({ recipients: [await identityToRecipient(identity)] });
  const { file } = (await backUpIfDue(db, schedule, after(0)))!;
  await expect(verifyBackup(createReadStream(file))).rejects.toThrow();
  const opened = decrypted(createReadStream(file), { identities: [identity], passphrase: undefined });
  expect(await verifyBackup(opened)).toMatchObject({ network: 'sandbox' });
});
