import { billingRoute } from '../../accounts/projects/billing-route.ts';
import { findIntentOfInvoice } from '../../billing/checkout-sessions/queries.ts';
import { InvoiceView, presentInvoice } from '../../billing/invoices/present.ts';
import { findInvoice, lockInvoice } from '../../billing/invoices/queries.ts';
import type { Intent } from '../../intents/intent.ts';
import { IntentView, presentIntent } from '../../intents/present.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { REMINDING, WAIVING } from '../../platform/http/assistant.ts';
import type { App, Call } from '../../platform/http/route.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { acceptAsPaid } from './accept-as-paid.ts';
import { remindPayer } from './remind-payer.ts';

export interface AcceptRoutes {
  db: Database;
  clock: Clock;
  mint: string;
  publicUrl(): string;
}

const ACCEPT = {
  method: 'POST',
  scopes: SCOPES,
  ownerOnly: true,
  stepUp: true,
  idempotency: 'text',
  errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'ORDER_ALREADY_PAID'],
} as const;

const REMIND = {
  method: 'POST',
  verified: true,
  idempotency: 'text',
  errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
} as const;

const ACCEPTED =
  'You take what has arrived as payment in full, and the order completes. The rest is waived and recorded as `waivedCents`. If it still arrives, it is an exception. Refunds are limited to what was paid.';
const REMINDED =
  'Tells them by e-mail what is left to pay, and where; ten minutes apart and 20 times at most. The checkout must have a customer with an e-mail address.';

/** Routes that let a merchant accept an underpaid payment. */
export function acceptIntentRoutes(app: App, parts: AcceptRoutes): void {
  const present = (intent: Intent) => presentIntent(intent, parts, parts.clock.now());
  keyedRoute(app, {
    ...ACCEPT,
    path: '/api/merchants/intents/{intentId}/accept',
    id: 'acceptPaymentIntent',
    sdk: 'intents.accept',
    assistant: { withheld: WAIVING },
    tag: 'Payment intents',
    summary: 'Accept an underpaid payment as paid',
    description: ACCEPTED,
    success: { status: 200, schema: IntentView, description: 'The intent, now succeeded.' },
    handle: (call) =>
      once(parts, 'acceptIntent', call, 'intentId', async (tx, { merchantId, id, actor, now }) =>
        present(await acceptAsPaid(tx, { merchantId, intentId: id, actor, now })),
      ),
  });
  keyedRoute(app, {
    ...REMIND,
    path: '/api/merchants/intents/{intentId}/remind',
    id: 'remindPayer',
    sdk: 'intents.remind',
    assistant: { withheld: REMINDING },
    tag: 'Payment intents',
    summary: 'Remind the payer of an underpaid payment',
    description: REMINDED,
    scopes: ['payments:write', 'billing:write'],
    success: { status: 200, schema: IntentView, description: 'The intent as it is.' },
    handle: (call) =>
      once(parts, 'remindPayer', call, 'intentId', async (tx, { merchantId, id, now }) =>
        present((await remindPayer(tx, { merchantId, id }, now)).intent),
      ),
  });
}

/** The same for its invoice. */
export function acceptInvoiceRoutes(app: App, parts: AcceptRoutes): void {
  billingRoute(app, {
    ...ACCEPT,
    path: '/invoices/{invoiceId}/accept',
    id: 'acceptInvoice',
    sdk: 'invoices.accept',
    assistant: { withheld: WAIVING },
    tag: 'Invoices',
    summary: 'Accept an underpaid invoice as paid',
    description: ACCEPTED,
    success: { status: 200, schema: InvoiceView, description: 'The invoice, now paid.' },
    handle: (call) =>
      once(parts, 'acceptInvoice', call, 'invoiceId', async (tx, { merchantId, id, actor, now }) => {
        const intentId = await requireIntent(tx, merchantId, id);
        await acceptAsPaid(tx, { merchantId, intentId, actor, now });
        return presentInvoice((await lockInvoice(tx, { merchantId, id }))!, now);
      }),
  });
  billingRoute(app, {
    ...REMIND,
    path: '/invoices/{invoiceId}/remind',
    id: 'remindInvoice',
    sdk: 'invoices.remind',
    assistant: { withheld: REMINDING },
    tag: 'Invoices',
    summary: 'Remind the customer of an underpaid invoice',
    description: REMINDED,
    scopes: ['billing:write'],
    success: { status: 200, schema: InvoiceView, description: 'The invoice as it is now.' },
    handle: (call) =>
      once(parts, 'remindInvoice', call, 'invoiceId', async (tx, { merchantId, id, now }) => {
        const intentId = await requireIntent(tx, merchantId, id);
        return presentInvoice((await remindPayer(tx, { merchantId, id: intentId }, now)).invoice, now);
      }),
  });
}

async function requireIntent(tx: Tx, merchantId: string, id: string): Promise<string> {
  if (!(await findInvoice(tx, { merchantId, id }))) throw new AppError('NOT_FOUND');
  const intentId = await findIntentOfInvoice(tx, merchantId, id);
  if (intentId === undefined)
    throw new AppError('INVALID_STATE', { message: 'Nothing was paid toward this invoice.' });
  return intentId;
}

interface Target {
  merchantId: string;
  id: string;
  actor: string;
  now: Date;
}

/** Runs it once per key. */
function once(
  { db, clock }: AcceptRoutes,
  operation: string,
  { principal, params, idempotencyKey: key, serialize }: Call<unknown, unknown> & { principal: Principal },
  named: 'intentId' | 'invoiceId',
  work: (tx: Tx, target: Target) => Promise<object>,
) {
  const { merchantId, actor } = principal;
  const id = params[named]!.toLowerCase();
  const now = clock.now();
  const request = { merchantId, operation: `${operation}:${id}`, key, body: {}, now };
  return withIdempotency(db, request, async (tx) => ({
    status: 200,
    text: serialize(await work(tx, { merchantId, id, actor, now })),
  }));
}
