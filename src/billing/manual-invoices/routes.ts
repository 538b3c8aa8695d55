import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { INVOICES } from '../../platform/http/assistant.ts';
import { ChangedMetadata, NewMetadata } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Int32, Nullable, Optional, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { withDestination } from '../checkout-sessions/destination.ts';
import { LineItems } from '../checkout-sessions/line-items.ts';
import type { CompleteFree } from '../checkout-sessions/session-creator.ts';
import { type Invoice, MAX_MEMO } from '../invoices/invoice.ts';
import { InvoiceView, presentInvoice } from '../invoices/present.ts';
import { findInvoice } from '../invoices/queries.ts';
import { changeDraft, removeDraft } from './change-draft.ts';
import { createDraft } from './create-draft.ts';
import { DEFAULT_NET_DAYS, MAX_NET_DAYS } from './draft.ts';
import { openInvoice, watchUntil } from './open-invoice.ts';
import { sendInvoice } from './send-invoice.ts';
import { voidInvoice } from './void-invoice.ts';

const terms = {
  dueAt: Optional(
    Nullable(Timestamp(`When it is due, within ${MAX_NET_DAYS} days. Either this or netDays.`)),
  ),
  netDays: Optional(
    Nullable(
      Int32({
        min: 1,
        max: MAX_NET_DAYS,
        description: `How many days after it is opened it is due; default ${DEFAULT_NET_DAYS}.`,
      }),
    ),
  ),
  memo: Optional(
    Nullable(
      Text({
        max: MAX_MEMO,
        lines: true,
        description: 'A note to the customer, on the PDF and in the e-mail.',
      }),
    ),
  ),
  merchantReference: Optional(Nullable(Text({ description: 'Your own name for what is billed.' }))),
  discountId: Optional(Nullable(Uuid('A discount of the project.'))),
  promotionCode: Optional(
    Nullable(Text({ max: 50, description: 'A promotion code of the project, instead of discountId.' })),
  ),
  send: Optional(Flag('Whether the customer gets it by e-mail when it is opened. Default false.')),
};

const CreateBody = Shape(
  'CreateInvoiceRequest',
  {
    projectId: Uuid(),
    customerId: Uuid('A customer of the project.'),
    lineItems: LineItems,
    ...terms,
    metadata: NewMetadata,
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      customerId: '019b76da-a800-7000-8000-000000000002',
      lineItems: [{ name: 'Consulting, October', unitAmountCents: 12000, quantity: 8 }],
      netDays: 14,
    },
  },
);

const PatchBody = Shape('UpdateInvoiceRequest', {
  metadata: ChangedMetadata,
  customerId: Optional(Uuid('Of a draft, like everything but the metadata.')),
  lineItems: Optional(LineItems),
  ...terms,
});

export interface ManualInvoiceRoutes {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  completeFree: CompleteFree;
  publicUrl(): string;
}

export function manualInvoiceRoutes(app: App, parts: ManualInvoiceRoutes): void {
  const { db, clock, ensureWatched, completeFree, publicUrl } = parts;
  const present = (invoice: Invoice) => presentInvoice(invoice, clock.now());

  billingRoute(app, {
    method: 'POST',
    path: '/invoices',
    id: 'createInvoice',
    sdk: 'invoices.create',
    // Drafts only: a person reads what an assistant wrote before a customer owes it.
    assistant: { write: { refused: ['discountId', 'promotionCode', 'send'] } },
    tag: 'Invoices',
    summary: 'Create a draft invoice',
    description:
      'A draft has no number, and nobody owes anything: the customer cannot see it, and no webhook is sent. Open it when it is right.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: InvoiceView, description: 'The new draft.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    handle({ principal: { merchantId }, body, idempotencyKey: key, serialize }) {
      const now = clock.now();
      return withIdempotency(db, { merchantId, operation: 'createInvoice', key, body, now }, async (tx) => {
        const invoice = await createDraft(tx, { merchantId, body, now });
        return { status: 201, text: serialize(present(invoice)) };
      });
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/invoices/{invoiceId}',
    id: 'updateInvoice',
    sdk: 'invoices.update',
    assistant: { write: { refused: ['discountId', 'promotionCode', 'send'] } },
    tag: 'Invoices',
    summary: 'Update an invoice',
    description:
      'Of a draft, everything that is in it. Of any other invoice its metadata, at any time, and nothing else.',
    scopes: ['billing:write'],
    body: PatchBody,
    success: { status: 200, schema: InvoiceView, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const ref = { merchantId: principal.merchantId, id: params.invoiceId! };
      return present(await db.transaction((tx) => changeDraft(tx, ref, body, clock.now())));
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/invoices/{invoiceId}',
    id: 'deleteInvoice',
    sdk: 'invoices.delete',
    assistant: { write: { destructive: true } },
    tag: 'Invoices',
    summary: 'Delete a draft invoice',
    description: 'Only a draft: what has a number stays, and can be voided.',
    scopes: ['billing:write'],
    success: { status: 204, description: 'It is gone.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.invoiceId! };
      await db.transaction((tx) => removeDraft(tx, ref));
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/invoices/{invoiceId}/open',
    id: 'openInvoice',
    sdk: 'invoices.open',
    assistant: { withheld: INVOICES },
    tag: 'Invoices',
    summary: 'Open a draft invoice',
    description:
      'It is priced once more, gets its number, and from now on is owed: the customer pays at `checkoutUrl`. With `send` they get it by e-mail.',
    scopes: ['billing:write', 'payments:write'],
    verified: true,
    idempotency: 'text',
    success: {
      status: 200,
      schema: InvoiceView,
      description: 'The open invoice, or a paid one if it costs nothing.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'PROJECT_VOLUME_LIMIT_EXCEEDED'],
    async handle(call) {
      const ref = { merchantId: call.principal.merchantId, id: call.params.invoiceId!.toLowerCase() };
      const found = await findInvoice(db, ref);
      if (!found) throw new AppError('NOT_FOUND');
      return withDestination(db, ensureWatched, found, watchUntil(clock.now()), (destination) =>
        change('openInvoice', call, (tx, now) =>
          openInvoice(tx, { ref, destination, publicUrl: publicUrl(), completeFree, now }),
        ),
      );
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/invoices/{invoiceId}/send',
    id: 'sendInvoice',
    sdk: 'invoices.send',
    assistant: { withheld: INVOICES },
    tag: 'Invoices',
    summary: 'Send an open invoice by e-mail',
    description:
      'With the PDF and the link to pay; once more each time, ten minutes apart and 20 times at most. Reminders are sent by e-mail from then on.',
    scopes: ['billing:write'],
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: InvoiceView, description: 'The invoice as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle: (call) =>
      change('sendInvoice', call, (tx, now) =>
        sendInvoice(
          tx,
          { merchantId: call.principal.merchantId, id: call.params.invoiceId!.toLowerCase() },
          now,
        ),
      ),
  });

  billingRoute(app, {
    method: 'POST',
    path: '/invoices/{invoiceId}/void',
    id: 'voidInvoice',
    sdk: 'invoices.void',
    assistant: { withheld: INVOICES },
    tag: 'Invoices',
    summary: 'Void an open invoice',
    description:
      'Of an invoice made by hand that is not paid in full. It keeps its number, and its checkout is canceled. What was paid toward it becomes the customer’s account credit and an exception, from which it can be refunded.',
    scopes: ['billing:write', 'payments:write'],
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: InvoiceView, description: 'The void invoice.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle: (call) =>
      change('voidInvoice', call, (tx, now) =>
        voidInvoice(
          tx,
          { merchantId: call.principal.merchantId, id: call.params.invoiceId!.toLowerCase() },
          now,
        ),
      ),
  });

  interface ChangeCall {
    principal: { merchantId: string };
    params: Record<string, string | undefined>;
    idempotencyKey: string | undefined;
    serialize(view: object): string;
  }

  /** Runs a change of one invoice once per key. */
  function change(
    operation: string,
    { principal, params, idempotencyKey, serialize }: ChangeCall,
    work: (tx: Tx, now: Date) => Promise<Invoice>,
  ) {
    const now = clock.now();
    const request = {
      merchantId: principal.merchantId,
      operation: `${operation}:${params.invoiceId!.toLowerCase()}`,
      key: idempotencyKey,
      body: {},
      now,
    };
    return withIdempotency(db, request, async (tx) => ({
      status: 200,
      text: serialize(present(await work(tx, now))),
    }));
  }
}
