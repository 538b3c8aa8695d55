import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeBase58 } from '../src/platform/lib/base58.ts';
import { chooseSamples } from './support/choose-samples.ts';
import type { Recorded } from './support/record-samples.ts';

const URL = 'http://127.0.0.1:41234';

/** The same journey on another day, on a slower machine; `sawProcessing`: the payment was seen before it was final. */
function recording(startMs: number, slownessMs: number, sawProcessing: boolean): Recorded[] {
  let step = 0;
  const now = () => new Date(startMs + step++ * slownessMs).toISOString();
  const base = { createdAt: '', sequence: 1 };
  const paid = randomUUID();
  const canceled = randomUUID();
  const signature = encodeBase58(randomBytes(64));
  const checkoutUrl = `${URL}/checkout/cs_00${randomBytes(16).toString('hex')}`;
  const madeAt = now();
  const event = (name: string, status: string, data: object): Recorded => ({
    ...base,
    id: randomUUID(),
    event: name,
    createdAt: now(),
    status,
    data: { ...data, madeAt },
  });
  return [
    ...(sawProcessing
      ? [event('payment_intent.updated', 'processing', { paymentIntentId: paid, txSignature: null })]
      : []),
    event('payment_intent.succeeded', 'succeeded', { paymentIntentId: paid, txSignature: signature }),
    event('invoice.paid', 'paid', { paymentIntentId: paid, txSignature: signature, checkoutUrl }),
    event('payment_intent.updated', 'canceled', { paymentIntentId: canceled, txSignature: null }),
  ];
}

const EVENTS = ['payment_intent.succeeded', 'invoice.paid', 'payment_intent.updated'];
const choose = (told: Recorded[]) => chooseSamples(EVENTS, told, URL);

test('samples do not depend on the machine, the day, or whether a payment was seen before it was final', () => {
  const quick = choose(recording(Date.UTC(2026, 0, 1), 10, false));
  const slow = choose(recording(Date.UTC(2026, 5, 30, 23, 59), 9_000, true));
  expect(slow).toEqual(quick);
  expect(quick['payment_intent.updated']).toMatchObject({ status: 'canceled' });
});

test('what is the same in a recording is the same in its samples', () => {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was recorded
  const samples = choose(recording(Date.UTC(2026, 0, 1), 10, true)) as Record<string, any>;
  const signature = samples['invoice.paid'].data.txSignature;
  expect(signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
  expect(samples['payment_intent.succeeded'].data.txSignature).toBe(signature);
  expect(samples['invoice.paid'].data.checkoutUrl).toMatch(
    /^http:\/\/127\.0\.0\.1:4020\/checkout\/cs_00\w{32}$/,
  );
});

test('an event that was never told is no sample', () => {
  expect(() => chooseSamples(['invoice.voided'], [], URL)).toThrow('invoice.voided was sent 0 times');
});
