import { SCOPES } from '../platform/access/key.ts';
import { keyedRoute } from '../platform/access/keyed-route.ts';
import type { Database } from '../platform/db/database.ts';
import { SANDBOX } from '../platform/http/assistant.ts';
import type { WebhookDescription } from '../platform/http/openapi.ts';
import type { App } from '../platform/http/route.ts';
import {
  Flag,
  Int32,
  Int64,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../platform/http/schema.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../platform/lib/clock.ts';
import { AppError, badField } from '../platform/lib/errors.ts';
import { advanceClock, advanceClockOnce } from './advance-clock.ts';
import { findTarget } from './find-target.ts';
import type { ClockMover } from './move-clock.ts';
import { OUTCOMES, payIntent } from './pay-intent.ts';
import { payRefund } from './pay-refund.ts';
import { presentReset, ResetView } from './present-reset.ts';
import { resetSandbox } from './reset-sandbox.ts';
import { sendSample } from './send-sample.ts';
import type { TestWallet } from './test-wallet.ts';

const PayBody = Shape('SandboxPaymentRequest', {
  paymentIntentId: Optional(Uuid()),
  target: Optional(
    Text({
      min: 1,
      max: 2048,
      description:
        'Instead of paymentIntentId: the id of a payment intent, a checkout session, an invoice or a subscription (what is due for it, such as its renewal), or a checkout URL.',
    }),
  ),
  amountCents: Optional(Int64({ min: 1, description: 'Default: what is still due.' })),
  outcome: Optional(OneOf(OUTCOMES, 'Default: pay.')),
});
const Payment = Shape('SandboxPayment', { signature: Text() });
const ClockView = Shape('SandboxClock', {
  now: Timestamp('The service’s time.'),
  advancingTo: Nullable(
    Timestamp(
      'The target of a running advance, reported by the process that runs it; null if none is running.',
    ),
  ),
});
const ClockBody = Shape('MoveSandboxClockRequest', {
  advanceSeconds: Optional(Int32({ min: 0, max: 315_360_000, description: 'How far to advance.' })),
  to: Optional(Timestamp('The time to advance to; not before now.')),
});

const ResetBody = Shape('SandboxResetRequest', {
  confirmMerchantId: Uuid('The id of your own merchant: nothing is deleted by mistake.'),
  keepCatalog: Optional(
    Flag('Default: false. With true, products, prices, payment links and terminals stay.'),
  ),
});
const SampleSent = Shape('SandboxEvent', { eventId: Uuid('The `id` in the body of the webhook.') });

const PayRefundBody = Shape('SandboxRefundPaymentRequest', {
  amountCents: Optional(Int64({ min: 1, description: 'Default: what is still due.' })),
});

export interface SandboxRoutes {
  db: Database;
  clock: Clock;
  mover: ClockMover;
  /** Descriptions that samples are built from. */
  webhooks: readonly WebhookDescription[];
  /** Absent in a process that neither runs the sandbox chain nor knows its address. */
  wallet: TestWallet | undefined;
}

/** Routes for trying things out, only registered in the sandbox: elsewhere these paths do not exist. */
export function sandboxRoutes(app: App, parts: SandboxRoutes): void {
  paymentRoutes(app, parts);
  refundRoutes(app, parts);
  clockRoutes(app, parts);
  sampleRoutes(app, parts);
  resetRoutes(app, parts);
}

function paymentRoutes(app: App, { db, clock, wallet }: SandboxRoutes): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/payments',
    id: 'createSandboxPayment',
    sdk: 'sandbox.pay',
    assistant: { withheld: SANDBOX },
    tag: 'Sandbox',
    summary: 'Pay with test money',
    description:
      'A test wallet pays on the sandbox chain; the payment is detected like any other. Each call is a transaction of its own, also within one slot.',
    scopes: [],
    body: PayBody,
    idempotency: 'text',
    success: { status: 202, schema: Payment, description: 'Sent.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal, body, idempotencyKey: key, serialize }) {
      const payer = requireChain(wallet);
      const { merchantId } = principal;
      const now = clock.now();
      const { target: _, ...how } = body;
      const pay = async () => {
        const payment = { ...how, paymentIntentId: await findTarget(db, merchantId, body), merchantId };
        return { signature: await payIntent(db, payer, payment, now) };
      };
      if (key === undefined) return pay();
      // The chain that is paid on is the sandbox's own: a transaction may wait for it.
      const request = { merchantId, operation: 'createSandboxPayment', key, body, now };
      return withIdempotency(db, request, async () => ({ status: 202, text: serialize(await pay()) }));
    },
  });
}

function refundRoutes(app: App, { db, clock, wallet }: SandboxRoutes): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/refunds/{refundId}/pay',
    id: 'paySandboxRefund',
    sdk: 'sandbox.payRefund',
    assistant: { withheld: SANDBOX },
    tag: 'Sandbox',
    summary: 'Send a refund with test money',
    description:
      'A test wallet in the place of yours, never the one that pays, signs the refund on the sandbox chain; it is found like any other. With an amount it sends just that: a part, or something more after it was sent.',
    scopes: SCOPES,
    ownerOnly: true,
    body: PayRefundBody,
    bodyOptional: true,
    success: { status: 202, schema: Payment, description: 'Sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId } = principal;
      const refundId = params.refundId!.toLowerCase();
      const payer = () => requireChain(wallet);
      return { signature: await payRefund(db, payer, { merchantId, refundId, ...body }, clock.now()) };
    },
  });
}

function resetRoutes(app: App, { db, mover, wallet }: SandboxRoutes): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/reset',
    id: 'resetSandbox',
    sdk: 'sandbox.reset',
    assistant: { withheld: SANDBOX },
    tag: 'Sandbox',
    summary: 'Delete all data',
    description:
      'Deletes customers, payment intents, checkout sessions, invoices, subscriptions, usage, exceptions, events and deliveries, and, unless `keepCatalog` is set, products, prices, payment links and terminals. The merchant, members, API keys, webhook URL and secret, payout addresses, projects with their settings, and the audit log are kept. Invoice numbers start over. Past payments stay on the sandbox chain and are not detected again.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    body: ResetBody,
    success: { status: 200, schema: ResetView, description: 'Reset.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal, body }) {
      requireChain(wallet);
      const { merchantId, actor } = principal;
      if (body.confirmMerchantId.toLowerCase() !== merchantId)
        throw badField('confirmMerchantId', 'must be the id of your merchant');
      const { keepCatalog = false } = body;
      return presentReset(await resetSandbox({ db, mover }, { merchantId, actor, keepCatalog }));
    },
  });
}

function requireChain(wallet: TestWallet | undefined): TestWallet {
  if (!wallet)
    throw new AppError('INVALID_STATE', {
      message: 'This process does not know the sandbox chain: set SOLANA_RPC_URLS to its address.',
    });
  return wallet;
}

function clockRoutes(app: App, parts: SandboxRoutes): void {
  const { clock, mover } = parts;
  const view = () => ({ now: clock.now(), advancingTo: mover.advancingTo() });
  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/sandbox/clock',
    id: 'getSandboxClock',
    sdk: 'sandbox.clock',
    assistant: 'read',
    tag: 'Sandbox',
    summary: 'Get the sandbox time',
    description:
      'Also works while the clock is being advanced: it returns the current progress and the target.',
    scopes: [],
    success: { status: 200, schema: ClockView, description: 'The service’s time.' },
    errors: [],
    handle: async () => view(),
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/clock',
    id: 'moveSandboxClock',
    sdk: 'sandbox.moveClock',
    assistant: { withheld: SANDBOX },
    tag: 'Sandbox',
    summary: 'Advance the sandbox clock',
    description:
      'Returns when every step that became due has run. It does not wait for webhook deliveries. One advance runs at a time: a second one starts after the first, and its seconds count from there.',
    scopes: [],
    body: ClockBody,
    idempotency: 'text',
    success: { status: 200, schema: ClockView, description: 'The new time.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, body, idempotencyKey: key, serialize }) {
      if ((body.advanceSeconds === undefined) === (body.to === undefined))
        throw badField('advanceSeconds', 'or to is required, not both');
      if (key === undefined) {
        await advanceClock(parts, body);
        return view();
      }
      const request = { merchantId: principal.merchantId, key, move: body };
      return advanceClockOnce(parts, request, (now) => serialize({ now, advancingTo: null }));
    },
  });
}

function sampleRoutes(app: App, { db, clock, webhooks }: SandboxRoutes): void {
  const SampleBody = Shape('SandboxEventRequest', {
    event: OneOf(
      webhooks.map(({ event }) => event),
      'Which webhook to send.',
    ),
    requireUrl: Optional(
      Flag(
        'Default: true. With false the event is written even without a webhook URL, for clients that pull events.',
      ),
    ),
  });
  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/events',
    id: 'createSandboxEvent',
    sdk: 'sandbox.sendEvent',
    assistant: { withheld: SANDBOX },
    tag: 'Sandbox',
    summary: 'Send a sample webhook',
    description:
      'Sent to your webhook URL signed, retried and logged like any other. Its ids refer to nothing: none of your objects change.',
    scopes: [],
    body: SampleBody,
    success: { status: 202, schema: SampleSent, description: 'Written, and about to be sent.' },
    errors: ['BAD_REQUEST', 'WEBHOOK_NOT_CONFIGURED'],
    async handle({ principal, body }) {
      const { merchantId } = principal;
      const { event, requireUrl = true } = body;
      const eventId = await db.transaction((tx) =>
        sendSample(tx, { merchantId, event, requireUrl, now: clock.now() }),
      );
      return { eventId };
    },
  });
}
