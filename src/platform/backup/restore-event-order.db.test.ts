import { expect, test } from 'vitest';
import { backupOf, inPieces } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { insertMerchants } from '../../../test/support/rows.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { restore } from './restore.ts';

/** The last schema in which events are ordered by the numbers of transactions. */
const BY_TRANSACTION = 45;
const EVENTS = 100;

test.each([
  ['of this cluster', 1_000n],
  ['that this cluster has yet to reach', 5_000_000_000n],
])('events written by transactions %s keep their order', async (_name, firstXid) => {
  const source = await testDatabase({ template: 'template0' });
  await migrate(source, BY_TRANSACTION);
  await insertMerchants(source, 2);
  await insertEvents(source, firstXid);
  const before = await source.query(
    'select merchant_id, id from events order by merchant_id, written_by, ordinal',
  );

  const target = await testDatabase({ template: 'template0' });
  await restore(target, inPieces(await backupOf(source)));
  expect(
    await target.query(
      'select merchant_id, event_id as id from event_positions order by merchant_id, position',
    ),
  ).toEqual(before);
  expect(await target.query('select distinct last_position from event_counters')).toEqual([
    { last_position: BigInt(EVENTS) },
  ]);
});

/** One event for each transaction; their order by transaction is the reverse of that by id. */
async function insertEvents(db: Database, firstXid: bigint): Promise<void> {
  await db.query(
    `insert into events (merchant_id, id, written_by, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select m.id, lpad((9999999999 - xid)::text, 32, '0')::uuid, xid::text::xid8,
            'e', 'o', m.id, 1 + xid - $1, 's', m.id, '', now()
       from merchants m, generate_series($1::bigint, $1::bigint + $2 - 1) xid`,
    [firstXid, EVENTS],
  );
}
