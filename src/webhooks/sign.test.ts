import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret } from '../accounts/merchants/merchant.ts';
import { realNow } from '../platform/lib/clock.ts';
import { signatureHeader, standardHeaders } from './sign.ts';

const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789';
const AT = new Date('2026-01-31T12:00:00.999Z');

/** Verifies as a receiver does, written without our code: the key is the whole secret, the message time then body. */
function verify(header: string, body: string, secret: string): boolean {
  const time = /^t=(\d+)/.exec(header)![1]!;
  const wanted = createHmac('sha256', secret)
    .update(time + body)
    .digest('hex');
  return [...header.matchAll(/,v1=([0-9a-f]{64})(?=,|$)/g)].some((match) => match[1] === wanted);
}

test('a known answer, made with openssl', () => {
  // printf '1769860800{"a":1}' | openssl dgst -sha256 -hmac whsec_0123456789abcdefghijABCDEFGHIJ0123456789
  expect(signatureHeader([SECRET], AT, Buffer.from('{"a":1}'))).toBe(
    't=1769860800,v1=395a6bec155605e97b893a00f8ea9d3a59b7f8904f73dd70729e4d5729c60fce',
  );
  expect(signatureHeader([SECRET], AT, Buffer.from('{"größe":"日本 🦀"}'))).toBe(
    't=1769860800,v1=29f39bd93009a50af67f310af396ead61d29a65c0676161335cb1424363fc141',
  );
});

test('an independent receiver verifies it, and nothing else', () => {
  const body = '{"id":"x","data":{"amountCents":9223372036854775807}}';
  const header = signatureHeader([SECRET], AT, Buffer.from(body));
  expect(verify(header, body, SECRET)).toBe(true);
  expect(verify(header, `${body} `, SECRET)).toBe(false);
  expect(verify(header, body, SECRET.slice('whsec_'.length))).toBe(false);
  expect(verify(header.replace('t=1', 't=2'), body, SECRET)).toBe(false);
});

test('two secrets give two signatures in one header, and either is enough', () => {
  const header = signatureHeader([SECRET, 'whsec_old'], AT, Buffer.from('{}'));
  expect(header).toMatch(/^t=1769860800,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(verify(header, '{}', SECRET) && verify(header, '{}', 'whsec_old')).toBe(true);
});

/** The headers as a receiver's framework hands them over. */
const received = (headers: readonly string[]) =>
  Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : [])));

test('Standard Webhooks: their library verifies with our secret as it is, and nothing else', () => {
  const body = '{"größe":"日本 🦀","amountCents":1}';
  for (let round = 0; round < 200; round++) {
    const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
    const headers = received(standardHeaders([secret], 'e1', realNow(), Buffer.from(body)));
    const [ours, theirs] = [new Webhook(secret), new Webhook(other)];
    expect(ours.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => ours.verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => ours.verify(body, { ...headers, 'webhook-id': 'e2' })).toThrow('No matching signature');
    expect(() => theirs.verify(body, headers)).toThrow('No matching signature');
    const both = received(standardHeaders([other, secret], 'e1', realNow(), Buffer.from(body)));
    expect(both['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect([ours.verify(body, both), theirs.verify(body, both)]).toHaveLength(2);
  }
});
