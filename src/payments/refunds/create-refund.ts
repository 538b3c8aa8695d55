import { lockSessionOfIntent } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import {
  findGivenCredit,
  type GivenCredit,
  revokeGivenCredit,
  sumUnspent,
} from '../../billing/renewals/given-credit.ts';
import { withdrawUncovered } from '../../billing/renewals/withdraw-change.ts';
import { receivedCents } from '../../intents/intent.ts';
import { markRefunding } from '../../intents/mark-refunding.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { isRefundable, isUndecided } from '../transfers/exception.ts';
import { holdForRefund } from '../transfers/refund-exception.ts';
import { requireAgentLimit } from './agent-limit.ts';
import { refundEvent } from './change-refund.ts';
import { emailClaimLink } from './email-customer.ts';
import { insertRefundNumber } from './queries.ts';
import { creditReasonOf, expiryOf, nextCheckAt, type Refund, type RefundReason, refunds } from './refund.ts';
import { lockSource, refundableCents, type Source } from './refundable.ts';

export interface NewRefund {
  merchantId: string;
  actor: string;
  /** Exactly one of the two; an invoice has been looked up by its intent. */
  paymentIntentId: string | null;
  exceptionId: string | null;
  /** Undefined: all that is left. */
  amountCents: Cents | undefined;
  reason: RefundReason;
  note: string | null;
  metadata: Metadata;
  /** Inspected already; null: the customer is asked. */
  address: string | null;
  payerAddress: string | null;
  /** An AI assistant asks. */
  isAgent: boolean;
  notifyCustomer: boolean;
  revokeCredits: boolean;
  cancelSubscription: boolean;
  /** Refund also what a plan change gave as account credit, and take that credit back. */
  takeBackCredit?: boolean;
  mint: string;
  publicUrl: string;
  secrets: SecretBox;
  now: Date;
}

/** Promises money back, within what was received and is not promised already. Nothing moves by it. */
export async function createRefund(tx: Tx, input: NewRefund): Promise<Refund> {
  const { merchantId, actor, now } = input;
  const source = await lockSource(tx, merchantId, input);
  requireSource(input, source);
  requirePaid(source);
  const room = await readRoom(tx, input, source);
  const amountCents = amountOf(input, room);
  const buyer = await readBuyer(tx, source);
  requireEffects(input, buyer.invoice);
  if (input.isAgent) await requireAgentLimit(tx, { source, session: buyer.session, amountCents });
  const draft = await drafted(tx, input, source, { amountCents, ...buyer });
  await refunds.insert(tx, { ...draft, checkAt: nextCheckAt(draft, now) });
  const isAsked = await emailClaimLink(tx, draft, input);
  const refund: Refund = isAsked ? { ...draft, claimEmail: 'queued' } : draft;
  const cents = amountCents - room.left;
  if (room.given && cents > 0n)
    await revokeGivenCredit(tx, room.given, { cents, reason: creditReasonOf(refund), now });
  if (source.intent) await markRefunding(tx, source.intent, true);
  if (source.exception) await holdForRefund(tx, source.exception, { refundId: refund.id, now });
  const { subscriptionId } = buyer.invoice ?? {};
  if (subscriptionId) await withdrawUncovered(tx, { merchantId, id: subscriptionId }, now);
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'refund.created',
    targetId: refund.id,
    detail: { amountCents, address: refund.address, paymentIntentId: refund.paymentIntentId },
    now,
  });
  await appendEvents(tx, [refundEvent('refund.created', refund, null, input.mint)], now);
  return refund;
}

function requireSource({ paymentIntentId, exceptionId }: NewRefund, { exception, intent }: Source): void {
  if (exceptionId !== null && !exception)
    throw badField('exceptionId', 'must be the id of one of your exceptions');
  if (paymentIntentId !== null && !intent)
    throw badField('paymentIntentId', 'must be the id of one of your intents');
  if (!exception) return;
  if (!isRefundable(exception)) {
    throw new AppError('INVALID_STATE', {
      message: `Money listed as ${exception.kind} cannot be refunded here.`,
    });
  }
  if (!isUndecided(exception))
    throw new AppError('INVALID_STATE', { message: `This exception is already ${exception.status}.` });
}

function requirePaid({ exception, intent }: Source): void {
  if (!exception && receivedCents(intent!) === 0n)
    throw new AppError('INVALID_STATE', {
      message: 'Nothing has been paid yet, so there is nothing to refund.',
    });
}

interface Room {
  /** Amount left without what a plan change gave as account credit. */
  left: Cents;
  /** Amount left with the part of that which is taken back. */
  most: Cents;
  given: GivenCredit | undefined;
}

async function readRoom(tx: Tx, input: NewRefund, source: Source): Promise<Room> {
  const { merchantId, takeBackCredit: isTaken = false } = input;
  const left = await refundableCents(tx, source, null);
  const given = source.intent && (await findGivenCredit(tx, merchantId, source.intent.id));
  if (isTaken && !given)
    throw badField('effects.takeBackCredit', 'needs a payment for which a plan change gave account credit');
  if (!isTaken || !given) return { left, most: left, given };
  const all = await refundableCents(tx, source, null, { withGiven: true });
  const most = left + (await sumUnspent(tx, given));
  return { left, most: most < all ? most : all, given };
}

function amountOf({ amountCents, takeBackCredit }: NewRefund, { most, given }: Room): Cents {
  const why = given && given.cents > 0n ? WHY_LESS[takeBackCredit ? 'spent' : 'given'] : '';
  if (most === 0n) throw new AppError('INVALID_STATE', { message: `Nothing is left to refund.${why}` });
  if (amountCents !== undefined && amountCents > most)
    throw badField('amountCents', `must be at most ${most}: that is what is left to refund.${why}`);
  return amountCents ?? most;
}

const WHY_LESS = {
  given:
    ' A plan change gave the rest as account credit; effects.takeBackCredit refunds that too, as far as it is not spent.',
  spent:
    ' A plan change gave the rest as account credit, which is spent or was taken back already; to refund what is spent, add it to their balance first.',
};

interface Buyer {
  session: Session | undefined;
  invoice: Invoice | undefined;
}

/** Money that came too late, or for what was canceled, bought nothing: it has a buyer, and no invoice. */
async function readBuyer(tx: Tx, { exception, intent }: Source): Promise<Buyer> {
  const merchantId = intent?.merchantId ?? exception!.merchantId;
  const intentId = intent?.id ?? exception!.intentId;
  const session = intentId === null ? undefined : await lockSessionOfIntent(tx, merchantId, intentId);
  const invoice =
    intent && session ? await findInvoice(tx, { merchantId, id: session.invoiceId }) : undefined;
  return { session, invoice };
}

function requireEffects({ revokeCredits, cancelSubscription }: NewRefund, invoice: Invoice | undefined) {
  if (revokeCredits && invoice?.billingReason !== 'balance_top_up')
    throw badField('effects.revokeCredits', 'needs a payment that bought prepaid credits');
  if (cancelSubscription && !invoice?.subscriptionId)
    throw badField('effects.cancelSubscription', 'needs a payment for a subscription');
}

async function drafted(
  tx: Tx,
  input: NewRefund,
  { exception, intent }: Source,
  { amountCents, session, invoice }: Buyer & { amountCents: Cents },
): Promise<Refund> {
  const { merchantId, address, now } = input;
  return {
    id: newId(now),
    merchantId,
    number: await insertRefundNumber(tx, merchantId),
    projectId: session?.projectId ?? null,
    customerId: session?.customerId ?? null,
    paymentIntentId: intent?.id ?? null,
    invoiceId: invoice?.id ?? null,
    exceptionId: exception?.id ?? null,
    status: address === null ? 'awaiting_address' : 'ready',
    amountCents,
    sentBaseUnits: 0n,
    reason: input.reason,
    note: input.note,
    metadata: input.metadata,
    address,
    addressSource: address === null ? null : 'merchant',
    addressApprovedAt: address === null ? null : now,
    payerAddress: input.payerAddress,
    claimEmail: null,
    referenceAddress: newReferenceAddress(),
    notifyCustomer: input.notifyCustomer,
    revokeCredits: input.revokeCredits,
    cancelSubscription: input.cancelSubscription,
    effectsDueAt: null,
    txSignature: null,
    checkAt: null,
    creditNoteId: null,
    creditNoteNumber: null,
    sequence: 1,
    preparedAt: null,
    preparedUntil: null,
    sentSignature: null,
    lapsesAtHeight: null,
    checkedSignature: null,
    createdAt: now,
    expiresAt: expiryOf(now),
    succeededAt: null,
    canceledAt: null,
  };
}
