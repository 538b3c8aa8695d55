import type { Int64, Invoice, PaymentException, Refund } from '@florin/sdk';
import { florin } from '../app/florin.ts';

/** Payment, invoice or exception that is refunded. */
export type Source =
  | { kind: 'payment'; id: string }
  | { kind: 'invoice'; invoice: Invoice }
  | { kind: 'exception'; exception: PaymentException };

/** Facts that the dialog needs before it asks. */
export interface Refundable {
  leftCents: bigint;
  /** Prepaid credits were bought. */
  isTopUp: boolean;
  isSubscription: boolean;
  hasCustomer: boolean;
}

export function bodyOf(source: Source) {
  if (source.kind === 'payment') return { paymentIntentId: source.id };
  if (source.kind === 'invoice') return { invoiceId: source.invoice.id };
  return { exceptionId: source.exception.id };
}

export async function readRefundable(source: Source): Promise<Refundable> {
  if (source.kind === 'exception') return ofException(source.exception);
  const session = await sessionOf(source);
  const intentId = source.kind === 'payment' ? source.id : session?.paymentIntentId;
  const invoice =
    source.kind === 'invoice'
      ? source.invoice
      : session && (await florin.invoices.retrieve(session.invoiceId));
  return {
    leftCents: intentId === undefined ? 0n : await leftOfPayment(intentId),
    isTopUp: invoice?.billingReason === 'balance_top_up',
    isSubscription: Boolean(invoice?.subscriptionId),
    hasCustomer: session !== undefined,
  };
}

async function sessionOf(source: Exclude<Source, { kind: 'exception' }>) {
  if (source.kind === 'payment')
    return (await florin.checkoutSessions.list({ paymentIntentId: source.id, limit: 1 })).data[0];
  const { checkoutSessionId } = source.invoice;
  return checkoutSessionId === null ? undefined : florin.checkoutSessions.retrieve(checkoutSessionId);
}

async function ofException({ id, amountCents, paymentIntentId }: PaymentException): Promise<Refundable> {
  const refunds = (await florin.refunds.list({ exceptionId: id, limit: 100 })).data;
  return {
    leftCents: atLeastNothing(BigInt(amountCents ?? 0) - promised(refunds)),
    isTopUp: false,
    isSubscription: false,
    hasCustomer: paymentIntentId !== null,
  };
}

/** Received, without what refunds take, and what was kept, went back by hand or is the customer's account credit now. */
async function leftOfPayment(id: string): Promise<bigint> {
  const [{ amountReceivedCents }, { exceptions }, refunds] = await Promise.all([
    florin.intents.retrieve(id),
    florin.intents.history(id),
    florin.refunds.list({ paymentIntentId: id, limit: 100 }),
  ]);
  const elsewhere = exceptions
    .filter(
      ({ refundId, kind, status, isAfterPayment }) =>
        refundId === null && !isAfterPayment && isGone(kind, status),
    )
    .map(({ amountCents }) => amountCents ?? 0n);
  return atLeastNothing(BigInt(amountReceivedCents) - promised(refunds.data) - sum(elsewhere));
}

function isGone(kind: PaymentException['kind'], status: PaymentException['status']): boolean {
  if (kind === 'surplus' && status === 'kept') return true;
  const isDecided = status === 'returned' || status === 'credited';
  return kind === 'stray' || (isDecided && (kind === 'surplus' || kind === 'duplicate_order'));
}

const promised = (refunds: readonly Refund[]) =>
  sum(
    refunds
      .filter(({ status }) => status !== 'canceled' && status !== 'expired')
      .map(({ amountCents }) => amountCents),
  );

const sum = (cents: readonly Int64[]) => cents.reduce<bigint>((total, each) => total + BigInt(each), 0n);

const atLeastNothing = (cents: bigint) => (cents > 0n ? cents : 0n);
