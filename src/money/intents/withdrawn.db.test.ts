import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables } from '../../../test/support/rows.ts';
import { migrate } from '../../platform/db/migrate.ts';

const BEFORE = 74;

test.each([
  ['underpaid', 'canceled', true],
  ['succeeded', 'canceled', false],
  ['underpaid', 'open', false],
])(
  'a payment that is %s, of an order that was %s before this was recorded: withdrawn is %s',
  async (paid, order, isWithdrawn) => {
    const db = await testDatabase({ template: 'template0' });
    await migrate(db, BEFORE);
    await fillTables(db);
    await db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        `update payment_intents set status = $1, waived_base_units = 0, expected_amount_cents = 2, received_base_units = 10000,
                succeeded_at = case $1 when 'succeeded' then created_at end`,
        [paid],
      );
      await tx.query(
        `update checkout_sessions set status = $1, payment_status = 'underpaid', completed_at = null`,
        [order],
      );
    });
    await migrate(db);
    expect(await db.query('select is_withdrawn as "isWithdrawn" from payment_intents')).toEqual([
      { isWithdrawn },
    ]);
  },
);
