import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { backupOf, rewritten } from '../../../test/support/backups.ts';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { insertMerchants } from '../../../test/support/rows.ts';
import { ensureInstallation, findLastProof, findProofProblem } from '../../platform/db/installation.ts';
import { type Invariant, schemaInvariants } from '../../platform/db/invariant.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { secretBox } from '../../platform/lib/secret-box.ts';
import { proveBackup } from './prove-backup.ts';
import { backUpIfDue } from './scheduled-backup.ts';
import { verifyBackup } from './verify.ts';

const AT = new Date('2026-03-01T00:00:00Z');
const db = await testDatabase();
await ensureInstallation(db, 'sandbox', secretBox(randomBytes(32)), AT);
await insertMerchants(db, 3);
await db.query(
  `insert into audit_entries (id, merchant_id, actor, action, created_at)
   select gen_random_uuid(), id, 'a', 'b', now() from merchants`,
);
await db.query('update merchants set closed_at = now()');

const prove = (input: Readable, invariants: readonly Invariant[] = schemaInvariants) =>
  proveBackup(input, { invariants, serverUid: undefined });

const leftOvers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('florin-proof-'));

test('a backup is proven by restoring it, and nothing of that stays', async () => {
  const before = await leftOvers();
  expect(await prove(Readable.from([await backupOf(db)]))).toMatchObject({ network: 'sandbox' });
  expect(await leftOvers()).toEqual(before);
});

test('what has every checksum right and cannot be restored is not called restorable', async () => {
  const broken = await testDatabase();
  await broken.query('alter table audit_entries drop constraint audit_entries_head_fkey');
  await broken.query('alter table audit_entries drop constraint audit_entries_merchant_id_fkey');
  await broken.query('alter table audit_entries disable trigger user');
  await broken.query(
    `insert into audit_entries (id, merchant_id, actor, action, created_at, sequence, hash)
     values (gen_random_uuid(), gen_random_uuid(), 'a', 'b', now(), 1, sha256(''))`,
  );
  const file = await backupOf(broken);
  expect(await verifyBackup(Readable.from([file]))).toMatchObject({ rows: expect.any(Number) });
  await expect(prove(Readable.from([file]))).rejects.toThrow('violates foreign key constraint');
  const never = [{ name: 'never', says: 'Nothing holds.', violations: `select 'x'` }];
  await expect(prove(Readable.from([await backupOf(db)]), never)).rejects.toThrow('never (x)');
  const cut = rewritten(await backupOf(db), (plain) => plain.subarray(0, -100));
  await expect(prove(Readable.from([cut]))).rejects.toThrow('cut short');
});

test('a worker proves what it writes, encrypted too, when that is due; one that fails is kept and named', async () => {
  const folder = await temporaryFolder(cleanUp);
  const recipients = [await identityToRecipient(await generateX25519Identity())];
  const schedule = { folder, everyMs: HOUR_MS, keep: 9, recipients };
  const proof = { everyMs: 3 * HOUR_MS, prove: (input: Readable) => prove(input) };
  const at = (hours: number) => new Date(AT.getTime() + hours * HOUR_MS);
  const made = (hours: number, more = proof) => backUpIfDue(db, { ...schedule, proof: more }, at(hours));

  expect(await made(0)).toMatchObject({ proof: { problem: null } });
  expect(await findLastProof(db)).toEqual(at(0));
  expect((await made(1))?.proof).toBeUndefined();
  const failing = {
    ...proof,
    async prove(input: Readable) {
      await input[Symbol.asyncIterator]().next();
      throw new Error('no room for it');
    },
  };
  expect(await made(4, failing)).toMatchObject({ proof: { problem: 'no room for it' } });
  expect([await findLastProof(db), await findProofProblem(db)]).toEqual([at(0), 'no room for it']);
  expect(await made(5)).toMatchObject({ proof: { problem: null } });
  expect([await findLastProof(db), await findProofProblem(db)]).toEqual([at(5), undefined]);
  expect(await readdir(folder)).toHaveLength(4);
});

test.each<[string, RegExp, string]>([
  ['a table without columns', /"columns":\[[^\]]*\]/, '"columns":null'],
  ['a column that is no text', /"columns":\["[^"]*"/, '"columns":[7'],
  ['no time', /"createdAt":"[^"]*"/, '"createdAt":"soon"'],
  ['a schema that is no number', /"schema":\d+/, '"schema":"x"'],
  ['no schema', /"schema":\d+/, '"schema":null'],
  ['schema 0', /"schema":\d+/, '"schema":0'],
])('an altered backup with %s is refused with a sentence', async (_, from, to) => {
  const file = rewritten(await backupOf(db), (plain) =>
    Buffer.from(plain.toString('latin1').replace(from, to), 'latin1'),
  );
  await expect(verifyBackup(Readable.from([file]))).rejects.toThrow('it was altered or is damaged');
  await expect(prove(Readable.from([file]))).rejects.toThrow('it was altered or is damaged');
});
