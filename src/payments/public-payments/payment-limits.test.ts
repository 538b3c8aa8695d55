import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Intent } from '../../intents/intent.ts';
import { paymentLimits } from './payment-limits.ts';

// Time passes when the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Counts the calls that are allowed before the first is refused. */
function allowedOf(calls: number, call: (index: number) => void): number {
  for (let index = 0; index < calls; index++)
    try {
      call(index);
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED' });
      return index;
    }
  return calls;
}

test('payments without money count against the client that hands them in, and nobody else', () => {
  const limits = paymentLimits(true);
  const worthless = (ip: string) => () => limits.program(ip).requireTurn();
  for (const stranger of ['192.0.2.1', '198.51.100.1', '2001:db8:1::1'])
    expect(allowedOf(5_000, worthless(stranger))).toBe(40);
  const funded = limits.program('203.0.113.1');
  funded.requireTurn();
  expect(() => funded.requireRoom('payer', 'A')).not.toThrow();
});

test('those with money do not use up the turns of their client, but its larger allowance, and that of their wallet', () => {
  const limits = paymentLimits(true);
  const pay = (ip: string, payer: string, merchant: string) => {
    const caller = limits.program(ip);
    caller.requireTurn();
    caller.requireRoom(payer, merchant);
  };
  expect(allowedOf(5_000, (index) => pay('192.0.2.1', 'one wallet', `merchant ${index}`))).toBe(60);
  expect(allowedOf(5_000, (index) => pay('198.51.100.1', `${index}`, `merchant ${index}`))).toBe(100);
});

test('one request counts once, however often it is asked to', () => {
  const limits = paymentLimits(true);
  const caller = limits.program('192.0.2.1');
  expect(allowedOf(500, () => caller.requireTurn())).toBe(500);
  expect(allowedOf(500, () => caller.requireRoom('payer', 'A'))).toBe(500);
  expect(allowedOf(500, () => limits.program('192.0.2.1').requireTurn())).toBe(40);
});

test('somebody who comes for the first time has room at a merchant that others keep busy, quickly or slowly', () => {
  const limits = paymentLimits(true);
  const pay = (ip: string, payer: string, merchant: string) =>
    limits.program(ip).requireRoom(payer, merchant);
  // Each of them slowly, for as long as it takes.
  const busy = Array.from({ length: 60 }, (_, i) => `192.0.${i}.1`);
  for (let turn = 0; turn < 40; turn++) {
    for (const ip of busy) allowedOf(1, () => pay(ip, ip, 'A'));
    vi.advanceTimersByTime(2_000);
  }
  expect(allowedOf(60, (index) => pay(busy[index]!, busy[index]!, 'A'))).toBeLessThan(60);
  expect(allowedOf(1, () => pay('203.0.113.1', 'customer', 'A'))).toBe(1);
  expect(allowedOf(1, () => pay('203.0.113.1', 'customer', 'B'))).toBe(1);
});

test('the networks of one IPv6 /48 that ask slowly leave looks at fees for others', () => {
  const limits = paymentLimits(true);
  const intent = { id: 'i', merchantId: 'A' } as Intent;
  const strangers = Array.from({ length: 32 }, (_, i) => `2001:db8:1:${i.toString(16)}::1`);
  for (let turn = 0; turn < 60; turn++) {
    for (const ip of strangers) limits.mayLook(ip, intent);
    // Each asks less often than twice a second.
    vi.advanceTimersByTime(520);
    if (turn % 10 === 9) expect(limits.mayLook(`203.0.113.${turn}`, intent)).toBe(true);
  }
});

test('nobody is limited where limits are off, except at one intent', async () => {
  const limits = paymentLimits(false);
  expect(allowedOf(500, () => limits.program('192.0.2.1').requireTurn())).toBe(500);
  const held = Array.from({ length: 500 }, (_, i) => limits.holdOpen('192.0.2.1', async () => i));
  expect(await Promise.all(held)).toHaveLength(500);
  const intent = { id: 'i', merchantId: 'A' } as Intent;
  expect(allowedOf(500, () => limits.wallet('192.0.2.1', intent).requireTurn())).toBe(5);
});
