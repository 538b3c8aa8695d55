import { expect, test } from 'vitest';
import { paymentLimits } from './payment-limits.ts';

const LIMITED = expect.objectContaining({ code: 'RATE_LIMITED' });

/** Which call is refused first, if any. */
function firstRefused(calls: number, call: (index: number) => void): [number, unknown] | undefined {
  for (let index = 0; index < calls; index++)
    try {
      call(index);
    } catch (error) {
      return [index, error];
    }
  return undefined;
}

test('a payer and a network are limited, each for itself, and nobody where limits are off', () => {
  const count = paymentLimits(true);
  const [byPayer, refusal] = firstRefused(5_000, () => count('192.0.2.1', 'payer'))!;
  expect([byPayer >= 60, refusal]).toEqual([true, LIMITED]);
  const [byNetwork] = firstRefused(5_000, (index) => count('192.0.2.2', `payer ${index}`))!;
  expect(byNetwork).toBeGreaterThanOrEqual(100);
  expect(firstRefused(1, () => count('192.0.2.3', 'another'))).toBeUndefined();
  const off = paymentLimits(false);
  expect(firstRefused(5_000, () => off('192.0.2.1', 'payer'))).toBeUndefined();
});
