import { expect, expectTypeOf, test } from 'vitest';
import { signatureHeader } from '../../src/webhooks/sign.ts';
import { FlorinSignatureError } from './errors.ts';
import type { CheckoutSession, Int64, WebhookEvent } from './generated/types.ts';
import { webhooks } from './webhooks.ts';

const SECRET = 'whsec_a4iCBnft2F5w0zPvwFoVw1f5Fff3lSup4gZz2V1m';
const PAYLOAD =
  '{"event":"payment_intent.succeeded","data":{"orderId":"größe","amountCents":9223372036854775807}}';
const NOW = new Date(1_700_000_000_000);
const AT = NOW.getTime() / 1000;

const header = (timestamp = AT, secret: string | string[] = SECRET) =>
  webhooks.generateTestHeader({ payload: PAYLOAD, secret, timestamp });
const construct = (signature: Parameters<typeof webhooks.constructEvent>[1], payload: unknown = PAYLOAD) =>
  webhooks.constructEvent(payload as string, signature, SECRET, { now: NOW });

async function reasonOf(result: Promise<unknown>): Promise<string> {
  const error = await result.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(FlorinSignatureError);
  expect((error as FlorinSignatureError).code).toBe('INVALID_SIGNATURE');
  return (error as FlorinSignatureError).reason;
}

test('what the service signs is what the test header says, with one secret and with two', async () => {
  const bytes = Buffer.from(PAYLOAD);
  expect(await header()).toBe(signatureHeader([SECRET], NOW, bytes));
  expect(await header(AT, ['whsec_new', SECRET])).toBe(signatureHeader(['whsec_new', SECRET], NOW, bytes));
});

test('the event is given with every digit, from text, bytes or a buffer', async () => {
  const bytes = new TextEncoder().encode(PAYLOAD);
  const within = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, -1);
  for (const payload of [PAYLOAD, bytes, within, Buffer.from(PAYLOAD), bytes.buffer]) {
    const event = await construct(await header(), payload);
    expect(event.data).toEqual({ orderId: 'größe', amountCents: 9223372036854775807n });
  }
});

test('a rotation is survived on both sides: two signatures, or two secrets', async () => {
  expect((await construct(await header(AT, ['whsec_new', SECRET]))).event).toBe('payment_intent.succeeded');
  const options = { now: NOW };
  const both = webhooks.constructEvent(PAYLOAD, await header(), ['whsec_old', SECRET], options);
  expect((await both).event).toBe('payment_intent.succeeded');
  expect((await construct([await header()])).event).toBe('payment_intent.succeeded');
});

test('each problem has a reason of its own', async () => {
  const good = await header();
  expect(await reasonOf(construct(undefined))).toBe('missing_header');
  expect(await reasonOf(construct(null))).toBe('missing_header');
  expect(await reasonOf(construct(' '))).toBe('missing_header');
  expect(await reasonOf(construct(`t=${AT}`))).toBe('malformed_header');
  expect(await reasonOf(construct(good.replace('t=', 't=x')))).toBe('malformed_header');
  expect(await reasonOf(construct(`t=${AT + 1},${good}`))).toBe('malformed_header');
  expect(await reasonOf(construct(good.slice(0, -1)))).toBe('malformed_header');
  expect(await reasonOf(construct(good, `${PAYLOAD} `))).toBe('no_match');
  expect(await reasonOf(construct(await header(AT, 'whsec_other')))).toBe('no_match');
  expect(await reasonOf(construct(good.replace(`t=${AT}`, `t=${AT - 1}`)))).toBe('no_match');
  expect(await reasonOf(construct(good, JSON.parse(PAYLOAD)))).toBe('payload_not_raw');
});

test('300 seconds of age and 30 of future are allowed, and not one more', async () => {
  expect((await construct(await header(AT - 300))).event).toBeDefined();
  expect(await reasonOf(construct(await header(AT - 301)))).toBe('too_old');
  expect((await construct(await header(AT + 30))).event).toBeDefined();
  expect(await reasonOf(construct(await header(AT + 31)))).toBe('in_the_future');
  const old = await header(AT - 3600);
  const patient = { now: NOW, toleranceSeconds: 3600 };
  expect((await webhooks.constructEvent(PAYLOAD, old, SECRET, patient)).event).toBeDefined();
  const unsure = { now: NOW, toleranceSeconds: Number.NaN };
  expect(await reasonOf(webhooks.constructEvent(PAYLOAD, old, SECRET, unsure))).toBe('too_old');
});

test('without `now` it is this moment', async () => {
  const signature = await webhooks.generateTestHeader({ payload: PAYLOAD, secret: SECRET });
  expect((await webhooks.constructEvent(PAYLOAD, signature, SECRET)).event).toBe('payment_intent.succeeded');
});

test('a signed text that is no event, and a secret that is not set, are different errors', async () => {
  for (const payload of ['nonsense', '{}', 'null', '[]']) {
    const signature = await webhooks.generateTestHeader({ payload, secret: SECRET, timestamp: AT });
    expect(await reasonOf(construct(signature, payload))).toBe('not_an_event');
  }
  await expect(webhooks.constructEvent(PAYLOAD, await header(), '')).rejects.toThrow('is the variable set?');
});

test('`event` tells the type of `data`', () => {
  const look = (event: WebhookEvent) => {
    if (event.event === 'checkout.session.completed') {
      expectTypeOf(event.data.checkoutSession).toEqualTypeOf<CheckoutSession>();
    }
    if (event.event === 'payment_intent.succeeded') {
      expectTypeOf(event.data.amountCents).toEqualTypeOf<Int64>();
    }
    // @ts-expect-error: not an event of the service.
    return event.event === 'invoice.eaten';
  };
  expectTypeOf<WebhookEvent<'invoice.paid'>['event']>().toEqualTypeOf<'invoice.paid'>();
  expect(look({ event: 'invoice.paid' } as WebhookEvent)).toBe(false);
});
