import type { Intent } from '../../intents/intent.ts';
import { isAsking, viewPayment } from '../../pages/checkout/payment-view.ts';
import { qrPath } from '../../pages/parts/qr-code.ts';
import {
  Flag,
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { unitsToDecimal } from '../../platform/lib/money.ts';
import type { SaleRow } from './queries.ts';
import { REQUEST_STATUSES } from './refund-request.ts';

const STAGES = [
  ...['waiting', 'checking', 'confirming', 'underpaid', 'late', 'paid', 'expired', 'over', 'canceled'],
] as const;

export const SaleView = Shape(undefined, {
  id: Uuid(),
  number: Int32(),
  stage: OneOf(STAGES),
  lines: List(Shape(undefined, { name: Nullable(Text()), quantity: Int32(), unitAmountCents: Int64() })),
  goodsCents: Int64(),
  tipCents: Int64(),
  expectedCents: Int64(),
  receivedCents: Int64(),
  missingCents: Int64(),
  surplusCents: Int64(),
  /** Arrived for it after it had ended, and was not counted. */
  strayCents: Int64(),
  /** The last attempt brought no payment, and nothing else either. */
  hasFailed: Flag(),
  /** Arrived for it and is not USDC. Its amount is in its own unit; null where that is not known. */
  otherToken: Nullable(Shape(undefined, { mint: Text(), amount: Nullable(Text({ max: 300 })) })),
  refundRequest: Nullable(OneOf([...REQUEST_STATUSES, 'canceled'] as const)),
  /** QR code for a wallet to scan, while something is to be paid. */
  qr: Nullable(Shape(undefined, { size: Int32(), path: Text({ max: 100_000 }) })),
  createdAt: Timestamp(),
  expiresAt: Timestamp(),
  now: Timestamp(),
});

export function presentSale(
  row: SaleRow,
  intent: Intent,
  { now, urlOf }: { now: Date; urlOf(intent: Intent): string | undefined },
) {
  const { number, lines, goodsCents, tipCents } = row;
  const view = viewPayment(intent, row.seenBaseUnits, now);
  const url = isAsking(view) ? urlOf(intent) : undefined;
  return {
    ...{ id: intent.id, number, lines, goodsCents, tipCents, now },
    stage: view.stage,
    expectedCents: view.expectedCents,
    receivedCents: view.receivedCents,
    missingCents: view.missingCents,
    surplusCents: view.surplusCents,
    strayCents: row.strayCents,
    hasFailed: view.hasFailed && row.otherToken === null,
    otherToken: row.otherToken && presentToken(row.otherToken),
    refundRequest: row.request,
    qr: url === undefined ? null : qrPath(url),
    createdAt: intent.createdAt,
    expiresAt: intent.expiresAt,
  };
}

function presentToken({ mint, baseUnits, decimals }: NonNullable<SaleRow['otherToken']>) {
  return { mint, amount: decimals === null ? null : unitsToDecimal(BigInt(baseUnits), decimals) };
}
