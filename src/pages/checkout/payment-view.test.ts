import { expect, test } from 'vitest';
import type { Intent } from '../../intents/intent.ts';
import { viewPayment } from './payment-view.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const intent: Intent = {
  id: 'i',
  merchantId: 'm',
  orderId: null,
  sessionOrderingKey: null,
  terminalId: null,
  expectedAmountCents: 100n,
  receivedBaseUnits: 0n,
  waivedBaseUnits: 0n,
  referenceAddress: 'r',
  destinationAddress: 'd',
  status: 'pending',
  txSignature: null,
  paidVia: null,
  payerAddress: null,
  isRefunding: false,
  isWithdrawn: false,
  metadata: {},
  statusWithoutPayment: 'pending',
  sequence: 0,
  createdAt: NOW,
  expiresAt: new Date(NOW.getTime() + 60_000),
  succeededAt: null,
};

test('dust does not remove the code from the page, which still requests the full amount', () => {
  const dusty = { ...intent, receivedBaseUnits: 1n };
  expect(viewPayment(dusty, 9_998n, NOW)).toMatchObject({ stage: 'waiting', missingCents: 100n });
  expect(viewPayment(dusty, 9_999n, NOW)).toMatchObject({ stage: 'confirming', missingCents: 99n });
});
