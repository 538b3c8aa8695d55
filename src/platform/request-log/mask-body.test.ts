import { expect, test } from 'vitest';
import { maskBody } from './mask-body.ts';

test('fields, numbers, ids, times and values of enums stay; what people wrote does not', () => {
  const id = '01900000-0000-7000-8000-00000000000a';
  const body = {
    amountCents: 100,
    customerId: id,
    expiresAt: '2026-01-31T12:00:00Z',
    interval: 'month',
    isActive: true,
    name: 'ada',
    email: 'ada@example.com',
    metadata: { ada: 'lovelace' },
    items: [{ description: 'One hat', quantity: 2 }],
    'ada@example.com': null,
    postalCode: '10115',
    phone: 4_915_112_345_678,
    born: '1980-02-03',
    unitAmountCents: 123_456_789,
  };
  expect(JSON.parse(maskBody(body)!)).toEqual({
    amountCents: 100,
    customerId: id,
    expiresAt: '2026-01-31T12:00:00Z',
    interval: 'month',
    isActive: true,
    name: '[3 characters]',
    email: '[15 characters]',
    metadata: '[redacted]',
    items: [{ description: '[7 characters]', quantity: 2 }],
    '[field 10]': null,
    postalCode: '[5 characters]',
    phone: '[number]',
    born: '[10 characters]',
    unitAmountCents: 123_456_789,
  });
  expect(maskBody(4_111_111_111_111_111)).toBe('"[number]"');
  expect(maskBody(undefined)).toBeNull();
  expect(maskBody(Buffer.from('a picture'))).toBeNull();
  expect(maskBody({ items: Array(20).fill({ a: Array(20).fill('x'.repeat(40)) }) })!.length).toBe(4_000);
});
