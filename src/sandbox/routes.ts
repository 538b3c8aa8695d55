import { keyedRoute } from '../access/keyed-route.ts';
import type { Database } from '../db/database.ts';
import type { App } from '../http/route.ts';
import { Int32, Int64, OneOf, Optional, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError, badField } from '../lib/errors.ts';
import { moveClock } from './move-clock.ts';
import { OUTCOMES, payIntent } from './pay-intent.ts';
import type { TestWallet } from './test-wallet.ts';

const PayBody = Shape('SandboxPaymentRequest', {
  paymentIntentId: Uuid(),
  amountCents: Optional(Int64({ min: 1, description: 'Default: what is still due.' })),
  outcome: Optional(OneOf(OUTCOMES, 'Default: pay.')),
});
const Payment = Shape('SandboxPayment', { signature: Text() });
const ClockView = Shape('SandboxClock', { now: Timestamp() });
const ClockBody = Shape('MoveSandboxClockRequest', {
  advanceSeconds: Optional(Int32({ min: 0, max: 315_360_000, description: 'How far to go forward.' })),
  to: Optional(Timestamp('The moment to go to; not before now.')),
});

export interface SandboxRoutes {
  db: Database;
  clock: Clock;
  /** Absent in a process that does not run the sandbox chain. */
  wallet: TestWallet | undefined;
  /** Runs every step that has become due, and answers when all have. */
  runDue(): Promise<void>;
}

/** Test payments and the movable clock. Registered in the sandbox alone: elsewhere these paths do not exist. */
export function sandboxRoutes(app: App, { db, clock, wallet, runDue }: SandboxRoutes): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/payments',
    id: 'createSandboxPayment',
    tag: 'Sandbox',
    summary: 'Pay an intent with test money',
    description: 'A test wallet pays on the sandbox chain; the payment is found like any other.',
    scopes: [],
    body: PayBody,
    success: { status: 202, schema: Payment, description: 'Sent.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal, body }) {
      if (!wallet)
        throw new AppError('INVALID_STATE', {
          message: 'The sandbox chain does not run in this process.',
        });
      return { signature: await payIntent(db, wallet, { ...body, merchantId: principal.merchantId }) };
    },
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/sandbox/clock',
    id: 'getSandboxClock',
    tag: 'Sandbox',
    summary: 'What time it is in the sandbox',
    scopes: [],
    success: { status: 200, schema: ClockView, description: 'The service’s time.' },
    errors: [],
    handle: async () => ({ now: clock.now() }),
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/v2/sandbox/clock',
    id: 'moveSandboxClock',
    tag: 'Sandbox',
    summary: 'Move the sandbox’s time forward',
    description: 'Answers when every step that became due has run. Webhook deliveries are not waited for.',
    scopes: [],
    body: ClockBody,
    success: { status: 200, schema: ClockView, description: 'The new time.' },
    errors: ['BAD_REQUEST'],
    async handle({ body }) {
      const now = clock.now();
      if ((body.advanceSeconds === undefined) === (body.to === undefined))
        throw badField('advanceSeconds', 'or to is required, not both');
      const to = body.to ?? new Date(now.getTime() + body.advanceSeconds! * 1000);
      if (to < now) throw badField('to', 'must not be in the past');
      await moveClock(db, clock, to);
      await runDue();
      return { now: clock.now() };
    },
  });
}
