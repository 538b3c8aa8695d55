import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyValidator } from '../platform/http/validate.ts';
import { webhooks } from '../service/webhook-list.ts';
import { SAMPLE_TIME, sampleOf } from './sample.ts';

/** The status of the object in each event and, for a session, its payment status. */
const STATES: Record<string, [status: string, paymentStatus?: string]> = {
  'payment_intent.created': ['pending'],
  'payment_intent.succeeded': ['succeeded'],
  'payment_intent.underpaid': ['underpaid'],
  'payment_intent.failed': ['failed'],
  'payment_intent.expired': ['expired'],
  'payment_intent.updated': ['canceled'],
  'invoice.created': ['open'],
  'invoice.upcoming': ['open'],
  'invoice.paid': ['paid'],
  'invoice.underpaid': ['open'],
  'invoice.overdue': ['open'],
  'invoice.voided': ['void'],
  'invoice.uncollectible': ['uncollectible'],
  'invoice.updated': ['uncollectible'],
  'checkout.session.created': ['open', 'unpaid'],
  'checkout.session.processing': ['open', 'processing'],
  'checkout.session.completed': ['complete', 'paid'],
  'checkout.session.expired': ['expired', 'unpaid'],
  'checkout.session.canceled': ['canceled', 'unpaid'],
  'checkout.session.updated': ['open', 'underpaid'],
  'subscription.created': ['incomplete'],
  'subscription.activated': ['active'],
  'subscription.incomplete_expired': ['incomplete_expired'],
  'subscription.trial_will_end': ['trialing'],
  'subscription.renewal_due': ['active'],
  'subscription.renewed': ['active'],
  'subscription.past_due': ['past_due'],
  'subscription.updated': ['active'],
  'subscription.canceled': ['canceled'],
  'subscription.reactivated': ['active'],
  'customer.created': ['active'],
  'customer.updated': ['active'],
  'customer.deleted': ['deleted'],
  'customer.balance_credited': ['ok'],
  'customer.balance_debited': ['ok'],
  'customer.balance_adjusted': ['low'],
  'customer.balance_low': ['low'],
  'customer.balance_depleted': ['depleted'],
  'invoice.refunded': ['paid'],
  'refund.created': ['ready'],
  'refund.address_received': ['awaiting_address'],
  'refund.updated': ['ready'],
  'refund.processing': ['processing'],
  'refund.succeeded': ['succeeded'],
  'refund.canceled': ['canceled'],
  'refund.expired': ['expired'],
  'refund_request.created': ['open'],
  'refund_request.approved': ['approved'],
  'refund_request.declined': ['declined'],
  'exception.created': ['open'],
  'exception.reopened': ['open'],
  'exception.resolved': ['returned'],
  'webhook_endpoint.test': ['active'],
  'notification.test': ['active'],
  'notification.summary': ['active'],
  'payout_address.changed': ['changed'],
};

const now = new Date('2026-05-01T08:00:00.000Z');

/** Fields of a whole object in a body that samples are checked for. */
interface Snapshot {
  status: string;
  paymentStatus?: string;
  hasAccess?: boolean;
  totalCents?: number;
  amountPaidCents?: number;
  amountDueCents?: number;
}

function snapshotOf(data: object): Snapshot | undefined {
  const { checkoutSession, invoice, subscription, refund, exception } = data as Record<
    string,
    Snapshot | undefined
  >;
  return checkoutSession ?? invoice ?? subscription ?? refund ?? exception;
}

test.each(webhooks)('a sample of $event fits its schema and is true to the event', ({ event, body }) => {
  const { data, ...rest } = sampleOf(event, randomUUID, now);
  const { status } = rest;
  const whole = { id: randomUUID(), event, createdAt: now.toISOString(), ...rest, data };
  expect(() => bodyValidator(body)(whole)).not.toThrow();
  const snapshot = snapshotOf(data);
  expect([status, ...(snapshot?.paymentStatus ? [snapshot.paymentStatus] : [])]).toEqual(STATES[event]);
  if (snapshot) expect([snapshot.status, (data as Snapshot).status]).toEqual([status, status]);
});

test.each(['invoice.paid', 'invoice.created', 'invoice.underpaid'])('%s: the amounts add up', (event) => {
  const { totalCents, amountPaidCents, amountDueCents } = snapshotOf(sampleOf(event, randomUUID, now).data)!;
  expect(amountPaidCents! + amountDueCents!).toBe(totalCents);
  const paid = { 'invoice.paid': totalCents, 'invoice.created': 0, 'invoice.underpaid': 500 }[event];
  expect(amountPaidCents).toBe(paid);
});

test.each([
  ['payment_intent.succeeded', 0],
  ['payment_intent.underpaid', -1],
  ['payment_intent.failed', -1],
  ['payment_intent.expired', -1],
])('%s: as much arrived as it says', (event, sign) => {
  const { data } = sampleOf(event, randomUUID, now);
  const { amountCents, expectedAmountCents } = data as Record<string, number>;
  expect(Math.sign(amountCents! - expectedAmountCents!)).toBe(sign);
});

test.each([
  ['subscription.created', false],
  ['subscription.activated', true],
  ['subscription.renewed', true],
  ['subscription.past_due', true],
  ['subscription.canceled', false],
  ['subscription.reactivated', true],
])('%s: who may come in', (event, hasAccess) => {
  expect(snapshotOf(sampleOf(event, randomUUID, now).data)!.hasAccess).toBe(hasAccess);
});

test('every id is fresh in each sample, and one that appears twice is the same twice', () => {
  const make = () =>
    sampleOf('checkout.session.completed', randomUUID, now).data as {
      customerId: string;
      checkoutSession: { id: string; customerId: string };
    };
  const [first, second] = [make(), make()];
  expect(first.checkoutSession.customerId).toBe(first.customerId);
  const ids = [first, second].flatMap((data) => [data.customerId, data.checkoutSession.id]);
  expect(new Set(ids).size).toBe(4);
});

test('times are shifted to now', () => {
  const completedAt = (at: Date) =>
    (
      sampleOf('checkout.session.completed', randomUUID, at).data as {
        checkoutSession: { completedAt: string };
      }
    ).checkoutSession.completedAt;
  expect(completedAt(SAMPLE_TIME)).toBe(SAMPLE_TIME.toISOString());
  expect(completedAt(now)).toBe(now.toISOString());
});
