import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { inState } from '../../platform/lib/in-state.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { openSession } from '../checkout-sessions/create-session-with-invoice.ts';
import { requireDestination } from '../checkout-sessions/destination.ts';
import { redemptionOf } from '../checkout-sessions/session.ts';
import type { CompleteFree } from '../checkout-sessions/session-creator.ts';
import { redeem } from '../discounts/redeem.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { findInvoice, lockInvoice } from '../invoices/queries.ts';
import { dueWhenOpened, MAX_NET_DAYS, requireCustomer } from './draft.ts';
import { type PricedDraft, priceDraft } from './price-draft.ts';
import { firstStep } from './reminder-steps.ts';
import { sendInvoice } from './send-invoice.ts';

/** An invoice can be paid for three years after its due date, or until it is voided. */
const PAYABLE_AFTER_DUE_MS = 3 * 365 * DAY_MS;

/** Returns the time until which the payout address of an invoice opened now is watched, whatever its due date is. */
export function watchUntil(now: Date): Date {
  return new Date(now.getTime() + MAX_NET_DAYS * DAY_MS + PAYABLE_AFTER_DUE_MS);
}

export interface OpenInvoice {
  ref: Ref;
  /** Payout address as looked up before; it is watched. */
  destination: string | undefined;
  publicUrl: string;
  completeFree: CompleteFree;
  now: Date;
}

/**
 * Opens a draft: it is priced again, gets the project's next number, and a checkout session to be paid by. From now on it
 * is owed. One that costs nothing is paid at once.
 */
export async function openInvoice(tx: Tx, input: OpenInvoice): Promise<Invoice> {
  const { ref, now } = input;
  const { merchantId } = ref;
  const draft = await lockInvoice(tx, ref);
  if (!draft) throw new AppError('NOT_FOUND');
  if (!draft.draft) {
    throw new AppError('INVALID_STATE', { message: `${inState(draft.status, 'invoice')} cannot be opened.` });
  }
  const { projectId } = draft;
  const project = await requireActiveProject(tx, { merchantId, id: projectId });
  const destination = await requireDestination(tx, { merchantId, projectId }, input.destination);
  const customer = await requireCustomer(tx, { merchantId, projectId }, draft.customerId!);
  const dueAt = dueWhenOpened(draft, now);
  const { lines, discount, priceId } = await priceAgain(() =>
    priceDraft(tx, { project, customer }, draft.draft!, now),
  );
  const { session, events } = await openSession(tx, {
    project,
    destination,
    mode: 'one_time',
    origin: 'key',
    priceId,
    creditAmount: null,
    lines,
    discount,
    billingReason: 'manual',
    customer,
    customerEmail: customer.email,
    customerName: customer.name,
    merchantReference: draft.merchantReference,
    clientReferenceId: null,
    metadata: draft.metadata,
    paymentLinkId: null,
    invoiceId: draft.id,
    drafted: { memo: draft.memo, createdAt: draft.createdAt, ...firstStep(dueAt, now) },
    successUrl: null,
    cancelUrl: null,
    publicUrl: input.publicUrl,
    dueAt,
    expiresAt: new Date(dueAt.getTime() + PAYABLE_AFTER_DUE_MS),
    now,
  });
  if (session.discount) await redeem(tx, [redemptionOf(session)], null);
  await appendEvents(tx, events, now);
  if (session.amountCents === 0n) await input.completeFree(tx, session, now);
  else if (draft.draft.send) await sendInvoice(tx, ref, now);
  return (await findInvoice(tx, ref))!;
}

/**
 * Prices a draft again before it is opened. An error becomes INVALID_STATE: the draft may have become invalid since
 * it was written, and the request names none of its fields.
 */
async function priceAgain(price: () => Promise<PricedDraft>): Promise<PricedDraft> {
  try {
    return await price();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') throw error;
    throw new AppError('INVALID_STATE', {
      message: `This draft has to be changed before it can be opened: ${error.message}.`,
    });
  }
}
