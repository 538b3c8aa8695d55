import { address } from '@solana/kit';
import { expect } from 'vitest';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type RefundWalk, rpcCall } from './refund-walk.ts';
import { tokenAccountOf } from './wallet.ts';

/** All that `florin doctor` checks of the database, as one function of it. */
export async function installInvariants(db: Database): Promise<void> {
  const checks = invariants.map(
    ({ name, violations }) =>
      `return query select '${name}'::text, v.violation::text from (${violations}) as v(violation) limit 5;`,
  );
  await db.query(
    `create function broken_invariants() returns table (name text, violation text) language plpgsql as $checks$
     #variable_conflict use_column
     begin ${checks.join('\n')} end $checks$`,
  );
}

/** Compares what a walk should have led to with the books, and the books with the chain. */
export async function checkWalk(walk: RefundWalk): Promise<void> {
  const { service } = walk.ground.t;
  // Every invariant, planned once: this is asked after every step.
  expect(await service.db.query('select * from broken_invariants()')).toEqual([]);
  const rows = await service.db.query<{ id: string; status: string; cents: bigint; sent: bigint }>(
    `select id, status, amount_cents as cents, sent_base_units as sent from refunds where id = any($1) order by id`,
    [walk.model.refunds.map(({ id }) => id)],
  );
  const wanted = walk.model.refunds.map(({ id, status, cents, sent }) => ({ id, status, cents, sent }));
  expect(rows).toEqual(wanted.sort((a, b) => (a.id < b.id ? -1 : 1)));
  await checkListed(walk);
  await checkChain(walk);
  await checkPromises(walk);
}

async function checkListed(walk: RefundWalk): Promise<void> {
  const rows = await walk.ground.t.service.db.query<{ id: string; units: bigint }>(
    `select refund_id as id, sum(base_units) as units from payment_exceptions
        where kind = 'over_refunded' and refund_id = any($1) group by refund_id order by refund_id`,
    [walk.model.refunds.map(({ id }) => id)],
  );
  const wanted = walk.model.refunds
    .filter(({ listed }) => listed > 0n)
    .map(({ id, listed }) => ({ id, units: listed }));
  expect(rows).toEqual(wanted.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

/** Checks that the addresses of refunds have finally received what the books say was sent, to the last unit. */
async function checkChain(walk: RefundWalk): Promise<void> {
  const { t } = walk.ground;
  const owners = [...walk.addresses];
  if (owners.length === 0) return;
  const accounts = await Promise.all(owners.map((owner) => tokenAccountOf(address(owner))));
  const config = { encoding: 'jsonParsed', commitment: 'finalized' };
  const { result } = await rpcCall(t.chain.rpcUrl, 'getMultipleAccounts', [accounts, config]);
  const onChain = owners.map((owner, i) => {
    const amount = result.value[i]?.data.parsed.info.tokenAmount.amount;
    return [owner, BigInt(amount ?? 0) - unapproved(walk, owner) - passedBy(walk, owner)];
  });
  const books = await t.service.db.query<{ address: string; units: bigint }>(
    `select address, sum(sent_base_units) as units from refunds
        where address_approved_at is not null and address = any($1) group by address`,
    [owners],
  );
  const sent = new Map(books.map(({ address, units }) => [address, units]));
  expect(onChain).toEqual(owners.map((owner) => [owner, sent.get(owner) ?? 0n]));
}

/** Sent to an address by strangers, as no part of any refund. */
function passedBy(walk: RefundWalk, owner: string): bigint {
  return walk.model.refunds
    .filter(({ address }) => address === owner)
    .reduce((sum, refund) => sum + refund.passedBy, 0n);
}

/** Sent to an address before anybody has approved it. */
function unapproved(walk: RefundWalk, owner: string): bigint {
  return walk.model.refunds
    .filter(({ address, isApproved }) => address === owner && !isApproved)
    .reduce((sum, refund) => sum + walk.model.finalUnits(refund, walk.slot), 0n);
}

/** No intent's money is promised twice: to refunds, or as account credit besides. */
async function checkPromises(walk: RefundWalk): Promise<void> {
  const rows = await walk.ground.t.service.db.query(
    `select i.id from payment_intents i
        where i.id = any($1) and div(i.received_base_units, 10000)
          < (select coalesce(sum(r.amount_cents), 0) from refunds r
              where r.payment_intent_id = i.id and r.status not in ('canceled', 'expired'))
          + (select coalesce(sum(p.delta_cents), 0) from payment_exceptions e join postings p on p.id = e.posting_id
              where e.intent_id = i.id and e.kind = 'stray' and e.status = 'open' and e.refund_id is null)`,
    [walk.sources.flatMap(({ intentId }) => intentId ?? [])],
  );
  expect(rows).toEqual([]);
}

/**
 * Checks the other effects of refunds, once the due work has run: every subscription has ended, and no credits are
 * taken that were not bought.
 */
export async function checkEffects(walk: RefundWalk): Promise<void> {
  const { db } = walk.ground.t.service;
  const ids = walk.model.refunds.map(({ id }) => id);
  const waiting = await db.query('select id from refunds where id = any($1) and effects_due_at is not null', [
    ids,
  ]);
  expect(waiting).toEqual([]);
  const goingOn = await db.query(
    `select r.id, s.status from refunds r join invoices v on v.merchant_id = r.merchant_id and v.id = r.invoice_id
       join subscriptions s on s.merchant_id = v.merchant_id and s.id = v.subscription_id
      where r.id = any($1) and r.status = 'succeeded' and r.cancel_subscription
        and s.status not in ('canceled', 'incomplete_expired')`,
    [ids],
  );
  expect(goingOn).toEqual([]);
  const taken = await db.query(
    `select p.invoice_id, sum(p.delta_credits) from postings p
      where p.invoice_id = any($1) and p.delta_credits <> 0 group by p.invoice_id having sum(p.delta_credits) < 0`,
    [walk.sources.flatMap(({ invoiceId }) => invoiceId ?? [])],
  );
  expect(taken).toEqual([]);
}
