import { expect, test } from 'vitest';
import {
  eventFor,
  type Intent,
  type IntentStatus,
  isUnseen,
  STATUSES,
  TRANSITIONS,
  whenReplaced,
} from './intent.ts';

const intent = (status: IntentStatus): Intent => ({
  id: 'i',
  merchantId: 'm',
  orderId: null,
  sessionOrderingKey: null,
  terminalId: null,
  expectedAmountCents: 1n,
  receivedBaseUnits: 0n,
  waivedBaseUnits: 0n,
  referenceAddress: 'r',
  destinationAddress: 'd',
  status,
  txSignature: null,
  paidVia: null,
  payerAddress: null,
  isRefunding: false,
  isWithdrawn: false,
  metadata: {},
  statusWithoutPayment: 'pending',
  sequence: 0,
  createdAt: new Date(0),
  expiresAt: new Date(1_000),
  succeededAt: null,
});

test('nothing leaves succeeded or canceled, and only what nobody has paid toward can end', () => {
  expect(TRANSITIONS.succeeded).toEqual([]);
  expect(TRANSITIONS.canceled).toEqual([]);
  for (const status of STATUSES) {
    const isUnpaid = isUnseen(intent(status)) || status === 'expired';
    expect(TRANSITIONS[status].includes('canceled')).toBe(isUnpaid);
  }
});

test('each status has the event the interface names', () => {
  expect(STATUSES.map((status) => [status, eventFor(status)])).toEqual([
    ['pending', 'payment_intent.updated'],
    ['processing', 'payment_intent.updated'],
    ['underpaid', 'payment_intent.underpaid'],
    ['succeeded', 'payment_intent.succeeded'],
    ['failed', 'payment_intent.failed'],
    ['expired', 'payment_intent.expired'],
    ['canceled', 'payment_intent.updated'],
  ]);
});

test('what a newer intent on the terminal does to each status', () => {
  const early = new Date(999);
  const late = new Date(1_000);
  const verdicts = STATUSES.map((status) => [
    status,
    whenReplaced(intent(status), early),
    whenReplaced(intent(status), late),
  ]);
  expect(verdicts).toEqual([
    ['pending', 'cancel', 'cancel'],
    ['processing', 'busy', 'busy'],
    ['underpaid', 'busy', 'leave'],
    ['succeeded', 'leave', 'leave'],
    ['failed', 'cancel', 'cancel'],
    ['expired', 'leave', 'leave'],
    ['canceled', 'leave', 'leave'],
  ]);
});
