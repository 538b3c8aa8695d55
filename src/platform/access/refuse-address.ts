import { recordAudit } from '../audit/record.ts';
import type { Database } from '../db/database.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { type Clock, realNow } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Principal } from './principal.ts';
import { REFUSAL_NOTED_MINUTES, updateAddressRefused } from './queries.ts';

/** Always rejects: with 403, once the refusal is noted. */
export type RefuseAddress = (principal: Principal, address: string) => Promise<never>;

const NOTED_EVERY_MS = REFUSAL_NOTED_MINUTES * 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Refuses a key that is used from an address it does not allow. The key is valid, so the answer can say what is
 * wrong. Each key's refusals are audited at most once a minute, across all processes.
 */
export function addressRefusal(db: Database, clock: Clock): RefuseAddress {
  const notedMs = new BoundedMap<string, number>(MAX_REMEMBERED);
  return async ({ merchantId, callerId, actor }, address) => {
    const now = realNow();
    if (now.getTime() - (notedMs.get(callerId) ?? 0) >= NOTED_EVERY_MS) {
      await db.transaction(async (tx) => {
        if (!(await updateAddressRefused(tx, merchantId, callerId, now))) return;
        const entry = { merchantId, actor, targetId: callerId, detail: { address }, now: clock.now() };
        await recordAudit(tx, { ...entry, action: 'api_key.address_refused' });
      });
      notedMs.set(callerId, now.getTime());
    }
    throw new AppError('FORBIDDEN', { message: `This API key cannot be used from ${address}.` });
  };
}
