import { type Customer, UNKNOWN } from '../../accounts/customers/customer.ts';
import type { Project } from '../../accounts/projects/project.ts';
import { checkVolume, monthOf, reserveVolume } from '../../accounts/projects/volume.ts';
import { createIntent, createIntents, type NewIntent } from '../../intents/create-intents.ts';
import { orderIdOf } from '../../intents/intent.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, NO_METADATA } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { newToken } from '../../platform/lib/token.ts';
import {
  createInvoice,
  draftInvoice,
  type InvoiceDraft,
  openDraft,
  openInvoices,
} from '../invoices/create-invoice.ts';
import { describeParties, type KnownBuyer } from '../invoices/describe-parties.ts';
import {
  type AppliedDiscount,
  amountOfLines,
  type BillingReason,
  type Invoice,
  type InvoiceLine,
  sumOfDiscounts,
  sumOfTax,
} from '../invoices/invoice.ts';
import { orderingKeyOf, sessionEvent } from './change-session.ts';
import { checkoutSessions, type Session, withVolume } from './session.ts';

export interface PromisedIntent {
  paymentIntentId: string;
  referenceAddress: string;
}

export interface OpenSession {
  project: Project;
  destination: string;
  mode: Session['mode'];
  origin: Session['origin'];
  priceId: string | null;
  creditAmount: bigint | null;
  lines: InvoiceLine[];
  discount?: AppliedDiscount | null;
  allowPromotionCodes?: boolean;
  tipPercents?: number[];
  /** The tip that is the last of the lines. */
  tipCents?: Cents;
  /** Terminal that shows it. */
  terminalId?: string;
  /** Days for which the subscription is free at first. */
  trialDays?: number | null;
  /** Account credit that pays a part of it. */
  creditAppliedCents?: Cents;
  billingReason: BillingReason;
  customer: Customer | undefined;
  /** Id that an anonymous buyer will have: they have proved it, and become a customer with their money. */
  externalCustomerId?: string;
  /** Ids promised for the intent before it existed. */
  promised?: PromisedIntent;
  customerEmail: string | null;
  customerName: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  /** Copied to the intent and the invoice. */
  metadata?: Metadata;
  paymentLinkId: string | null;
  subscriptionId?: string | null;
  period?: { start: Date; end: Date } | null;
  /** Set if another row already references it. */
  sessionId?: string;
  /** Set if the invoice already exists under this id, because another row references it. */
  invoiceId?: string;
  /** Set if that invoice is stored as a draft made by hand, which is opened now. */
  drafted?: { memo: string | null; createdAt: Date; nextStepAt: Date | null; stepsDone: number };
  successUrl: string | null;
  cancelUrl: string | null;
  publicUrl: string;
  dueAt?: Date;
  expiresAt: Date;
  now: Date;
}

export interface CreatedSession {
  session: Session;
  invoice: Invoice;
  /** Events for the caller to append, before those of whatever else it creates. */
  events: NewEvent[];
}

/** Opens a session with its intent and its invoice, all with one deadline, in the caller's transaction. */
export async function openSession(tx: Tx, input: OpenSession): Promise<CreatedSession> {
  const session = draftSession(input);
  await countTowardLimit(tx, input.project, session);
  await createIntent(tx, intentOf(input, session));
  await checkoutSessions.insert(tx, session);
  const created = sessionEvent('checkout.session.created', session, null, null);
  // Anyone can open a link: only money gives its invoice a number.
  if (session.origin === 'link') {
    const invoice = await draftInvoice(tx, invoiceOf(input, session));
    return { session, invoice, events: [created] };
  }
  const create = input.drafted ? openDraft : createInvoice;
  const { invoice, event } = await create(tx, invoiceOf(input, session), orderingKeyOf(session));
  return { session, invoice, events: [event, created] };
}

/** One that is already drafted, because another row references it. */
export interface SessionDraft {
  input: OpenSession;
  session: Session;
}

/**
 * Creates many sessions, none of which counts toward a limit. Invoice numbers are assigned last, because their lock
 * is held until the commit and blocks the next transaction.
 */
export async function createSessionsWithInvoices(
  tx: Tx,
  drafts: readonly SessionDraft[],
): Promise<CreatedSession[]> {
  await createIntents(
    tx,
    drafts.map(({ input, session }) => intentOf(input, session)),
  );
  await checkoutSessions.insert(
    tx,
    drafts.map(({ session }) => session),
  );
  const opened = await openInvoices(
    tx,
    drafts.map(({ input, session }) => ({
      draft: invoiceOf(input, session),
      orderingKey: orderingKeyOf(session),
    })),
  );
  return drafts.map(({ session }, i) => {
    const { invoice, event } = opened[i]!;
    const created = sessionEvent('checkout.session.created', session, null, null);
    return { session, invoice, events: [event, created] };
  });
}

/** A session created by a key reserves its amount; an anonymous one is only accepted while there is room. */
async function countTowardLimit(tx: Tx, project: Project, session: Session): Promise<void> {
  const { volumeMonth, amountCents, origin, createdAt } = session;
  if (volumeMonth) await reserveVolume(tx, project, volumeMonth, amountCents);
  else if (origin === 'link') await checkVolume(tx, project, monthOf(createdAt), amountCents);
}

function intentOf({ destination, origin, promised, terminalId }: OpenSession, session: Session): NewIntent {
  return {
    ...(terminalId && { terminalId }),
    ...(promised && { referenceAddress: promised.referenceAddress }),
    id: session.paymentIntentId,
    merchantId: session.merchantId,
    // Every renewal carries its subscription's reference: as an order they would all be the same one.
    orderId: origin === 'renewal' ? null : orderIdOf(session.merchantReference),
    amountCents: session.amountCents,
    destination,
    orderingKey: orderingKeyOf(session),
    metadata: session.metadata,
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
  };
}

function invoiceOf(input: OpenSession, session: Session): InvoiceDraft {
  return {
    id: session.invoiceId,
    merchantId: session.merchantId,
    projectId: session.projectId,
    customerId: session.customerId,
    externalCustomerId: session.externalCustomerId,
    checkoutSessionId: session.id,
    subscriptionId: session.subscriptionId,
    billingReason: input.billingReason,
    lines: input.lines,
    discount: session.discount,
    tax: describeParties(input.project.seller, buyerOf(input), input.lines),
    creditAppliedCents: input.creditAppliedCents ?? 0n,
    dueAt: input.dueAt ?? session.expiresAt,
    periodStart: input.period?.start ?? null,
    periodEnd: input.period?.end ?? null,
    merchantReference: session.merchantReference,
    clientReferenceId: session.clientReferenceId,
    metadata: session.metadata,
    createdAt: session.createdAt,
    ...(input.drafted && {
      ...input.drafted,
      openedAt: session.createdAt,
      checkoutUrl: session.checkoutUrl,
    }),
  };
}

/** An anonymous buyer is who they say they are. */
function buyerOf({ customer, customerName, customerEmail }: OpenSession): KnownBuyer | null {
  if (customer) return customer;
  if (customerName === null && customerEmail === null) return null;
  return { ...UNKNOWN, name: customerName, email: customerEmail, language: null };
}

export function draftSession(input: OpenSession): Session {
  const { project, customer, now } = input;
  const token = newToken('cs');
  const id = input.sessionId ?? newId(now);
  return withVolume(
    {
      id,
      merchantId: project.merchantId,
      projectId: project.id,
      mode: input.mode,
      origin: input.origin,
      status: 'open',
      paymentStatus: 'unpaid',
      priceId: input.priceId,
      amountCents: amountOfLines(input.lines) - (input.creditAppliedCents ?? 0n),
      lines: input.lines,
      discount: input.discount ?? null,
      allowPromotionCodes: input.allowPromotionCodes ?? false,
      tipPercents: input.tipPercents ?? [],
      tipCents: input.tipCents ?? 0n,
      trialDays: input.trialDays ?? null,
      discountCents: sumOfDiscounts(input.lines),
      taxCents: sumOfTax(input.lines),
      creditAmount: input.creditAmount,
      amountReceivedCents: 0n,
      customerId: customer?.id ?? null,
      externalCustomerId: customer?.externalCustomerId ?? input.externalCustomerId ?? null,
      customerEmail: input.customerEmail,
      customerName: input.customerName,
      merchantReference: input.merchantReference,
      clientReferenceId: input.clientReferenceId,
      metadata: input.metadata ?? NO_METADATA,
      paymentLinkId: input.paymentLinkId,
      invoiceId: input.invoiceId ?? newId(now),
      subscriptionId: input.subscriptionId ?? null,
      paymentIntentId: input.promised?.paymentIntentId ?? newId(now),
      // A subscription that is still to be made will have this id.
      orderingKey: input.subscriptionId ?? (input.mode === 'subscription' ? newId(now) : id),
      token,
      checkoutUrl: `${input.publicUrl}/checkout/${token}`,
      successUrl: input.successUrl,
      cancelUrl: input.cancelUrl,
      volumeMonth: null,
      volumeCents: null,
      sequence: 1,
      createdAt: now,
      expiresAt: input.expiresAt,
      completedAt: null,
    },
    now,
  );
}
