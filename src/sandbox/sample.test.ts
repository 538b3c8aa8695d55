import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { EventBody } from '../events/describe.ts';
import { Int64, List, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import { bodyValidator } from '../http/validate.ts';
import { intentWebhooks } from '../intents/describe-events.ts';
import { sampleOf } from './sample.ts';

/** As an event's body is written around it. */
const bodyOf = (event: string, sample: object) => ({
  id: randomUUID(),
  event,
  createdAt: '2026-01-31T12:00:00.000Z',
  sequence: 1,
  ...sample,
});

test.each(intentWebhooks)('a sample of $event fits its own schema and makes sense', (webhook) => {
  const sample = sampleOf(webhook, randomUUID);
  expect(() => bodyValidator(webhook.body)(bodyOf(webhook.event, sample))).not.toThrow();
  const { amountCents, expectedAmountCents } = sample.data as Record<string, number>;
  expect([sample.status, Math.sign(Number(amountCents) - Number(expectedAmountCents))]).toEqual(
    {
      'payment_intent.succeeded': ['succeeded', 0],
      'payment_intent.underpaid': ['underpaid', -1],
      'payment_intent.failed': ['failed', -1],
      'payment_intent.expired': ['expired', -1],
      'payment_intent.updated': ['canceled', -1],
    }[webhook.event],
  );
});

test('an event with a nested object needs nothing but its schema', () => {
  const statuses = ['open', 'paid', 'past_due'] as const;
  const invoice = Shape('SampleInvoice', {
    id: Uuid(),
    customerId: Uuid(),
    status: OneOf(statuses),
    totalCents: Int64(),
    lines: List(Shape(undefined, { description: Text(), priceId: Uuid() })),
    paidAt: Nullable(Timestamp()),
  });
  const data = Shape('SampleData', {
    customerId: Uuid(),
    status: OneOf(statuses),
    previousStatus: Nullable(OneOf(statuses)),
    invoice: Nullable(invoice),
  });
  const body = EventBody('SampleEvent', ['invoice.paid', 'invoice.past_due', 'invoice.seen'], statuses, data);
  for (const [event, status] of [
    ['invoice.paid', 'paid'],
    ['invoice.past_due', 'past_due'],
    ['invoice.seen', 'open'],
  ] as const) {
    const sample = sampleOf({ event, summary: '', body }, randomUUID);
    expect(sample).toMatchObject({ status, data: { status, invoice: { status } } });
    expect(() => bodyValidator(body)(bodyOf(event, sample))).not.toThrow();
  }
});

test('every id is fresh in each sample, and one that stands twice is the same twice', () => {
  const body = EventBody(
    'SampleEvent',
    ['a.b'],
    ['b'],
    Shape('SampleData', { customerId: Uuid(), other: Shape(undefined, { customerId: Uuid(), id: Uuid() }) }),
  );
  const make = () =>
    sampleOf({ event: 'a.b', summary: '', body }, randomUUID).data as {
      customerId: string;
      other: { customerId: string; id: string };
    };
  const [first, second] = [make(), make()];
  expect(first.other.customerId).toBe(first.customerId);
  expect(new Set([first.customerId, first.other.id, second.customerId, second.other.id]).size).toBe(4);
});
