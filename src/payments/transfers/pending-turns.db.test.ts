import { expect, test } from 'vitest';
import { newAddress, testService } from '../../../test/support/service.ts';
import { listPendingTransfers } from './queries.ts';

const NONE = { destinations: [], signatures: [] };

test('merchants take turns in being followed, however many addresses one of them has, and so do addresses', async () => {
  const { db, createMerchant } = await testService();
  const [many, few] = [await createMerchant('Many'), await createMerchant('Few')];
  const watch = async (merchantId: string): Promise<string> => {
    const destination = newAddress();
    await db.query(
      `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at, next_rescan_at)
       values ($1, $1, $2, now(), now() + interval '1 day', now(), now())`,
      [destination, merchantId],
    );
    return destination;
  };
  const arrive = (destination: string, signature: string, seenAt: string) =>
    db.query(
      `insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at)
       values ($1, $2, 1, $3, 5, false, false, $3)`,
      [signature, destination, seenAt],
    );
  for (let i = 0; i < 8; i++) await arrive(await watch(many.id), `flood${i}`, '2000-01-02T00:00:00Z');
  const [busy, quiet] = [await watch(few.id), await watch(few.id)];
  for (let i = 1; i <= 3; i++) await arrive(busy, `busy${i}`, `2026-01-0${i}T00:00:00Z`);
  await arrive(quiet, 'quiet', '2026-01-04T00:00:00Z');
  const pending = await listPendingTransfers(db, 5, { seenBy: undefined, except: NONE });
  const ours = pending.map(({ signature }) => signature).filter((one) => !one.startsWith('flood'));
  expect(ours).toEqual(['busy1', 'quiet']);
  const seenBy = new Date('2026-01-01T12:00:00Z');
  const old = await listPendingTransfers(db, 100, { seenBy, except: NONE });
  expect(old.map(({ signature }) => signature).filter((one) => !one.startsWith('flood'))).toEqual(['busy1']);
});
