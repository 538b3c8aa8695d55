import type { Tx } from '../db/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { type OpenIntent, openIntent } from '../intents/open-intent.ts';
import { type BillingReason, type InvoiceLine, sumOfLines } from '../invoices/invoice.ts';
import { type InvoiceDraft, openInvoice } from '../invoices/open-invoice.ts';
import { newId, randomBase62 } from '../lib/ids.ts';
import type { Project } from '../projects/project.ts';
import { checkVolume, monthOf, reserveVolume } from '../projects/volume.ts';
import { laneOf, sessionEvent } from './change-session.ts';
import { insertSession } from './queries.ts';
import { type Session, withVolume } from './session.ts';

export interface OpenSession {
  project: Project;
  destination: string;
  mode: Session['mode'];
  origin: Session['origin'];
  priceId: string | null;
  creditAmount: bigint | null;
  lines: InvoiceLine[];
  billingReason: BillingReason;
  customer: { id: string; externalCustomerId: string | null } | undefined;
  customerEmail: string | null;
  customerName: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  paymentLinkId: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  publicUrl: string;
  expiresAt: Date;
  now: Date;
}

/**
 * Opens a session with its intent and its invoice, all with one deadline, and tells of both: all of it in the
 * caller's transaction, or nothing.
 */
export async function openSession(tx: Tx, input: OpenSession): Promise<Session> {
  const session = draftSession(input);
  await countTowardLimit(tx, input.project, session);
  await openIntent(tx, intentOf(input, session));
  await insertSession(tx, session);
  const opened = await openInvoice(tx, invoiceOf(input, session), laneOf(session));
  const created = sessionEvent('checkout.session.created', session, null, null);
  await appendEvents(tx, [opened.event, created], input.now);
  return session;
}

/** A session made by a key reserves its amount; a stranger's is only let in while there is room. */
async function countTowardLimit(tx: Tx, project: Project, session: Session): Promise<void> {
  const { volumeMonth, amountCents, origin, createdAt } = session;
  if (volumeMonth) await reserveVolume(tx, project, volumeMonth, amountCents);
  else if (origin === 'link') await checkVolume(tx, project, monthOf(createdAt), amountCents);
}

export function intentOf({ destination }: OpenSession, session: Session): OpenIntent {
  return {
    id: session.paymentIntentId,
    merchantId: session.merchantId,
    orderId: session.merchantReference,
    amountCents: session.amountCents,
    destination,
    lane: laneOf(session),
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
  };
}

export function invoiceOf({ billingReason, lines }: OpenSession, session: Session): InvoiceDraft {
  return {
    id: session.invoiceId,
    merchantId: session.merchantId,
    projectId: session.projectId,
    customerId: session.customerId,
    externalCustomerId: session.externalCustomerId,
    checkoutSessionId: session.id,
    billingReason,
    lines,
    creditAppliedCents: 0n,
    dueAt: session.expiresAt,
    periodStart: null,
    periodEnd: null,
    merchantReference: session.merchantReference,
    clientReferenceId: session.clientReferenceId,
    createdAt: session.createdAt,
  };
}

export function draftSession(input: OpenSession): Session {
  const { project, customer, now } = input;
  const token = `cs_${randomBase62(32)}`;
  return withVolume(
    {
      id: newId(now),
      merchantId: project.merchantId,
      projectId: project.id,
      mode: input.mode,
      origin: input.origin,
      status: 'open',
      paymentStatus: 'unpaid',
      priceId: input.priceId,
      amountCents: sumOfLines(input.lines),
      creditAmount: input.creditAmount,
      amountReceivedCents: 0n,
      customerId: customer?.id ?? null,
      externalCustomerId: customer?.externalCustomerId ?? null,
      customerEmail: input.customerEmail,
      customerName: input.customerName,
      merchantReference: input.merchantReference,
      clientReferenceId: input.clientReferenceId,
      paymentLinkId: input.paymentLinkId,
      invoiceId: newId(now),
      paymentIntentId: newId(now),
      token,
      checkoutUrl: `${input.publicUrl}/checkout/${token}`,
      successUrl: input.successUrl,
      cancelUrl: input.cancelUrl,
      volumeMonth: null,
      sequence: 1,
      createdAt: now,
      expiresAt: input.expiresAt,
      completedAt: null,
    },
    now,
  );
}
