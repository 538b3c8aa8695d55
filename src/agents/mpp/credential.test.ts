import { expect, test } from 'vitest';
import { hasCredential, readCredential } from './credential.ts';

const challenge = {
  id: 'id',
  realm: 'shop.test',
  method: 'solana',
  intent: 'charge',
  request: 'e30',
  expires: '2026-11-16T12:05:00.000Z',
};
const signature = '5'.repeat(87);
const payload = { type: 'signature', signature };
const header = (value: unknown) => `Payment ${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
const kindOf = (text: string) => (readCredential(text) as { type: string }).type?.split('/').at(-1);

test('a credential is read, its scheme in any case, beside other schemes, with fields nobody knows', () => {
  const right = header({
    challenge: { ...challenge, opaque: { order: 'o' }, digest: 'x' },
    payload,
    source: 'did:x',
  });
  const read = { challenge: { ...challenge, opaque: { order: 'o' } }, proof: payload };
  expect(readCredential(right)).toEqual(read);
  expect(readCredential(`Bearer abc, ${right.replace('Payment', 'payment')}`)).toEqual(read);
  // The protocol demands that a client sends back unchanged the fields it did not create.
  const opaque = Buffer.from(JSON.stringify({ order: 'o' })).toString('base64url');
  expect(readCredential(header({ challenge: { ...challenge, opaque }, payload }))).toEqual(read);
  expect(hasCredential(`Bearer abc, ${right}`)).toBe(true);
  for (const text of [undefined, '', 'Bearer Payment', 'Payments abc'])
    expect(hasCredential(text)).toBe(false);
  const transaction = { type: 'transaction', transaction: 'AAAA' };
  expect(readCredential(header({ challenge, payload: transaction }))).toEqual({
    challenge,
    proof: transaction,
  });
});

test('what is no credential is named as the protocol does', () => {
  const right = header({ challenge, payload });
  for (const text of [
    'Payment',
    'Payment a b',
    'Payment {}',
    `${right}, ${right}`,
    header(null),
    header([]),
    header({ payload }),
    header({ challenge: { ...challenge, id: 1 }, payload }),
    header({ challenge: { ...challenge, opaque: { order: 1 } }, payload }),
    header({ challenge: { ...challenge, opaque: 'not JSON' }, payload }),
    `Payment ${Buffer.from('{"challenge":{},"challenge":{}}').toString('base64url')}`,
  ])
    expect([text, kindOf(text)]).toEqual([text, 'malformed-credential']);
  expect(kindOf(header({ challenge: { ...challenge, method: 'tempo' }, payload }))).toBe(
    'method-unsupported',
  );
  for (const wrong of [
    undefined,
    {},
    { type: 'signature' },
    { type: 'signature', signature: 'abc' },
    { type: 'transaction', transaction: 'A'.repeat(1_645) },
    { type: 'card', signature },
  ])
    expect(kindOf(header({ challenge, payload: wrong }))).toBe('invalid-payload');
});
