import type { Tx } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { lockAccountCredit, post } from '../ledger/post.ts';
import { lockSubscription } from '../subscriptions/queries.ts';
import { findPeriodInvoice, listKeptWith, listRevokedCredit, type PeriodInvoice } from './payment-queries.ts';

/** Account credit that plan changes gave for time that a payment had paid for. */
export interface GivenCredit {
  of: PeriodInvoice;
  /**
   * Part of it that this payment has to bear: account credit that paid comes first, then the other payments of the
   * same time.
   */
  cents: Cents;
  /** Credit by the invoices of the changes, the newest first. */
  parts: { invoiceId: string; givenCents: Cents }[];
}

/**
 * The credit that was given for what an intent paid, with the subscription locked: refunds of payments for the same time wait for each
 * other. Undefined where none was.
 */
export async function findGivenCredit(
  tx: Tx,
  merchantId: string,
  intentId: string,
): Promise<GivenCredit | undefined> {
  const of = await findPeriodInvoice(tx, merchantId, intentId);
  if (!of || !(await listKeptWith(tx, of)).some(isGiving)) return undefined;
  await lockSubscription(tx, { merchantId, id: of.subscriptionId });
  const all = await listKeptWith(tx, of);
  const given = sum(all.map(({ givenCents }) => givenCents));
  const others = all.filter(({ invoiceId }) => invoiceId !== of.invoiceId);
  const borne = sum(all.map((each) => each.creditPaidCents)) + sum(others.map((each) => each.keptCents));
  const cents = given > borne ? given - borne : 0n;
  return { of, cents: cents < of.totalCents ? cents : of.totalCents, parts: all.filter(isGiving).reverse() };
}

const isGiving = ({ givenCents }: { givenCents: Cents }) => givenCents > 0n;
const sum = (amounts: readonly Cents[]) => amounts.reduce((total, cents) => total + cents, 0n);

/** Returns the part of it that the customer still has. */
export async function sumUnspent(tx: Tx, { of, cents }: GivenCredit): Promise<Cents> {
  const left = await lockAccountCredit(tx, of);
  return left < cents ? left : cents;
}

interface Taking {
  cents: Cents;
  /** Reason for the ledger, by which it is found again. */
  reason: string;
  now: Date;
}

/** Takes credit back that is refunded as money instead, from the newest change first. */
export async function revokeGivenCredit(
  tx: Tx,
  { of, parts }: GivenCredit,
  { cents, reason, now }: Taking,
): Promise<void> {
  let rest = cents;
  for (const { invoiceId, givenCents } of parts) {
    const taken = givenCents < rest ? givenCents : rest;
    if (taken === 0n) return;
    rest -= taken;
    await post(tx, { ...postingOf(of, invoiceId), deltaCents: -taken, reason, now });
  }
}

/** Gives back what was taken for a refund that ended, as far as it sends less than it promised. */
export async function restoreGivenCredit(
  tx: Tx,
  customer: { merchantId: string; customerId: string },
  { cents, reason, now }: Taking,
): Promise<void> {
  let rest = cents;
  for (const { invoiceId, subscriptionId, takenCents } of await listRevokedCredit(tx, customer, reason)) {
    const returned = takenCents < rest ? takenCents : rest;
    if (returned === 0n) return;
    rest -= returned;
    const of = { ...customer, subscriptionId };
    await post(tx, { ...postingOf(of, invoiceId), deltaCents: returned, reason, now });
  }
}

function postingOf(
  { merchantId, customerId, subscriptionId }: Omit<PeriodInvoice, 'invoiceId' | 'createdAt' | 'totalCents'>,
  invoiceId: string,
) {
  const counterAccount = 'plan_change' as const;
  return { merchantId, customerId, invoiceId, orderingKey: subscriptionId, counterAccount };
}
