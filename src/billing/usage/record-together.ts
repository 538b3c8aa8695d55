import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { haveHolders, insertRecords, listCircumstances, lockProjects } from './queries.ts';
import {
  asRepeat,
  checkUsage,
  keyOf,
  type Recorded,
  refusalOr,
  type UsageRecord,
  withCustomer,
} from './usage.ts';

/**
 * Records usage of any kind in the caller's transaction and deducts the credits it costs, each record on its own and
 * in order: a refused one leaves nothing behind and does not affect the others.
 */
export async function recordTogether(
  tx: Tx,
  drafts: readonly UsageRecord[],
  now: Date,
): Promise<(Recorded | AppError)[]> {
  await lockProjects(tx, drafts);
  const met = await listCircumstances(tx, drafts);
  const decisions = drafts.map((draft) => refusalOr(() => checkUsage(draft, met.get(draft.id)!)));
  const records = drafts.map((draft) => withCustomer(draft, met.get(draft.id)!));
  const accounts = await lockAccounts(
    tx,
    records.flatMap((record, i) => {
      const decision = decisions[i]!;
      const owes = 'credits' in decision && decision.credits > 0n;
      return owes ? [{ merchantId: record.merchantId, customerId: record.customerId! }] : [];
    }),
  );

  const taken = new Map<string, UsageRecord>();
  const outcomes = records.map((draft, i) =>
    refusalOr(() => {
      const decision = decisions[i]!;
      if (!('credits' in decision)) return decision;
      const twin = taken.get(keyOf(draft));
      if (twin) return asRepeat(draft, twin);
      const record = { ...draft, credits: decision.credits };
      if (record.credits > 0n) {
        const { merchantId, id: usageRecordId, customerId, credits } = record;
        const usage = { counterAccount: 'usage' as const, usageRecordId, deltaCredits: -credits };
        accounts.post({ merchantId, customerId: customerId!, ...usage, now });
      }
      taken.set(keyOf(record), record);
      return { record, isDuplicate: false };
    }),
  );

  // Another request with the same key may have taken the rest while this one waited for the balance.
  const refused = records.filter((_, i) => isShort(outcomes[i]!));
  if (refused.length > 0 && (await haveHolders(tx, refused))) throw new Overtaken();
  const fresh = [...taken.values()];
  if (fresh.length > 0 && (await insertRecords(tx, fresh)).length < fresh.length) throw new Overtaken();
  await accounts.write(tx, now);
  return outcomes;
}

function isShort(outcome: Recorded | AppError): boolean {
  return outcome instanceof AppError && outcome.code === 'INSUFFICIENT_BALANCE';
}

/**
 * A concurrent transaction used one of the keys in between, so the decision is stale and the transaction is retried.
 */
class Overtaken extends Error {
  readonly code = '40001';
}
