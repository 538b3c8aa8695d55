import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDatabase, untilBlocked } from '../../../test/support/database.ts';
import type { Database } from '../../platform/db/database.ts';
import { ensureInstallation } from '../../platform/db/installation.ts';
import { newId } from '../../platform/lib/ids.ts';
import { secretBox, secretKey } from '../../platform/lib/secret-box.ts';
import { countOthers, describeSealed, missingKeyIds, readSealed } from './read-sealed.ts';
import { reseal } from './reseal.ts';
import { retireOldKeys } from './retire.ts';
import { withRotationLock } from './rotation-lock.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

const AT = new Date('2026-03-01T00:00:00Z');
const [older, newer] = [randomBytes(32), randomBytes(32)];
const [oldId, newId_] = [secretKey(older).id, secretKey(newer).id];
const [before, both, after] = [secretBox(older), secretBox(newer, older), secretBox(newer)];
const ALWAYS = { batchSize: 2, isStopped: () => false, onProgress: () => {} };

async function insertMerchant(db: Database, secret: Buffer, previous: Buffer | null = null): Promise<string> {
  const id = newId(AT);
  await db.query(
    `insert into merchants (id, webhook_secret, previous_webhook_secret, previous_webhook_secret_until, created_at)
     values ($1, $2, $3, case when $3::bytea is null then null else $4::timestamptz end, $4)`,
    [id, secret, previous, AT],
  );
  return id;
}

async function readSecrets(db: Database, box = after): Promise<(string | null)[][]> {
  const rows = await db.query<{ now: Buffer; previous: Buffer | null }>(
    'select webhook_secret as now, previous_webhook_secret as previous from merchants order by id',
  );
  return rows.map(({ now, previous }) => [box.open(now), previous && box.open(previous)]);
}

async function sealedDatabase(): Promise<Database> {
  const db = await testDatabase();
  await ensureInstallation(db, 'sandbox', before, AT);
  await insertMerchant(db, before.seal('a'), before.seal('a0'));
  await insertMerchant(db, before.seal('b'), before.seal('b0'));
  await insertMerchant(db, both.seal('c'), before.seal('c0'));
  await insertMerchant(db, both.seal('d'));
  await insertMerchant(db, before.seal('e'));
  return db;
}

const SECRETS = [
  ['a', 'a0'],
  ['b', 'b0'],
  ['c', 'c0'],
  ['d', null],
  ['e', null],
];

test('every column of bytes in the schema is sealed and listed, or known to be something else', async () => {
  const db = await testDatabase();
  const columns = await db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = current_schema() and data_type = 'bytea' order by 1`,
  );
  const listed = SEALED_TABLES.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`));
  // Logos are shown to everyone, and transactions are public once they are sent.
  const notSealed =
    /hash$|\.fingerprint$|^passkeys\.(credential_id|public_key)$|^logos\.bytes$|^sponsored_transactions\.transaction$/;
  const names = columns.map(({ name }) => name);
  expect(names.filter((name) => !notSealed.test(name)).sort()).toEqual([...listed].sort());
});

describe('sealing again', () => {
  test('gives every value to the current key, whatever sealed it and however it began', async () => {
    const db = await sealedDatabase();
    const sealed = await readSealed(db);
    expect(describeSealed(sealed, both.keyIds())).toBe(
      `current key ${newId_}; installation.sealed_check: 1 with ${oldId} (old); merchants.webhook_secret: ${[
        [newId_, `2 with ${newId_}`],
        [oldId, `3 with ${oldId} (old)`],
      ]
        .sort()
        .map(([, text]) => text)
        .join(', ')}; merchants.previous_webhook_secret: 3 with ${oldId} (old)`,
    );
    expect([countOthers(sealed, newId_), missingKeyIds(sealed, [newId_])]).toEqual([7, [oldId]]);

    const progress: number[] = [];
    const done = await reseal(db, both, { ...ALWAYS, onProgress: (rows) => progress.push(rows) });
    expect([done, progress]).toEqual([{ rows: 5, unopened: [] }, [1, 3, 5]]);
    expect(await readSecrets(db)).toEqual(SECRETS);
    expect(countOthers(await readSealed(db), newId_)).toBe(0);
    expect((await reseal(db, both, ALWAYS)).rows).toBe(0);
    await ensureInstallation(db, 'sandbox', after, AT);
  });

  test('stops between batches when asked, and the next run continues', async () => {
    const db = await sealedDatabase();
    let rows = 0;
    const onProgress = (done: number) => {
      rows = done;
    };
    const first = await reseal(db, both, { ...ALWAYS, isStopped: () => rows >= 3, onProgress });
    expect(first.rows).toBe(3);
    expect(await readSecrets(db, both)).toEqual(SECRETS);
    expect(countOthers(await readSealed(db), newId_)).toBeGreaterThan(0);
    expect((await reseal(db, both, ALWAYS)).rows).toBe(2);
    expect(await readSecrets(db)).toEqual(SECRETS);
  });

  test('leaves what no key opens, says which, and does the rest', async () => {
    const db = await sealedDatabase();
    const strange = secretBox(randomBytes(32)).seal('x');
    const id = await insertMerchant(db, strange);
    const last = await insertMerchant(db, before.seal('z'));
    expect(await reseal(db, both, ALWAYS)).toEqual({ rows: 6, unopened: [`merchants ${id}`] });
    const rows = await db.query<{ id: string; secret: Buffer }>(
      'select id, webhook_secret as secret from merchants where id >= $1 order by id',
      [id],
    );
    expect(rows[0]!.secret.equals(strange)).toBe(true);
    expect([rows[1]!.id, after.open(rows[1]!.secret)]).toEqual([last, 'z']);
  });
});

describe('retiring', () => {
  test('is refused while anything is sealed with another key', async () => {
    const db = await sealedDatabase();
    const drop = () => Promise.reject(new Error('dropped too early'));
    expect(await retireOldKeys(db, both, drop)).toBe(7);
  });

  test('waits for concurrent writers, and sees what they wrote', async () => {
    const db = await sealedDatabase();
    await reseal(db, both, ALWAYS);
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writing = db.transaction(async (tx) => {
      await tx.query('update merchants set webhook_secret = $1', [before.seal('late')]);
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    const retiring = retireOldKeys(db, both, () => Promise.reject(new Error('dropped too early')));
    await untilBlocked(db, retiring);
    mayCommit.resolve();
    await writing;
    expect(await retiring).toBe(5);

    await reseal(db, both, ALWAYS);
    let dropped = false;
    const drop = async () => {
      dropped = true;
    };
    expect([await retireOldKeys(db, both, drop), dropped]).toEqual([0, true]);
  });
});

test('one rotation at a time', async () => {
  const db = await testDatabase();
  await withRotationLock(db, async () => {
    await expect(withRotationLock(db, async () => {})).rejects.toThrow('rotated by another process');
  });
  await withRotationLock(db, async () => {});
});
