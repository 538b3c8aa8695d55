import { answerProgram } from '../../agents/mpp/answer-program.ts';
import type { MppParts } from '../../agents/mpp/parts.ts';
import type { IntentPlace } from '../../agents/x402/place.ts';
import { applyPromotionCode } from '../../billing/checkout-sessions/apply-promotion-code.ts';
import { removePromotionCode } from '../../billing/checkout-sessions/remove-promotion-code.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import { awaitsMailbox } from '../../billing/checkout-sessions/session-trial.ts';
import { setTip } from '../../billing/checkout-sessions/set-tip.ts';
import { codesInTurn } from '../../billing/discounts/codes-in-turn.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import { beginTrial, requireTrialProof } from '../../billing/payment-links/begin-trial.ts';
import type { StartCheckout } from '../../billing/payment-links/start-checkout.ts';
import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { checkPayment } from '../../payments/public-payments/check-payment.ts';
import { completeFreeSession } from '../../payments/transfers/complete-free-session.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { placesOf } from '../../platform/limits/visitor-places.ts';
import { answerLive } from '../../platform/live/stream.ts';
import { type PageCall, type PageScope, pageRoute, type Redirect } from '../parts/page-route.ts';
import { isVisiting } from '../portal/is-visiting.ts';
import { askForAmount, isAmountRefused } from './ask-for-amount.ts';
import { checkoutPage, requireSession } from './checkout-page.ts';
import type { Claim } from './claim-form.ts';
import { CODE_PROBLEMS, problemOfCode } from './code-form.ts';
import { intentPage, requireIntent } from './intent-page.ts';
import { makeTestPayment, TEST_PAYMENTS, type TestPayment } from './make-test-payment.ts';
import { OTHER_WALLET } from './other-wallet.ts';
import type { CheckoutParts } from './read-payment.ts';
import { sendReceipt } from './send-receipt.ts';
import { requireTerminal, terminalPage } from './terminal-page.ts';
import { problemOfTip, readTip, TIP_PROBLEMS } from './tip-form.ts';

const TRIAL_PATH = '/checkout/:token/start/:proof';
const NOTHING_TYPED = {
  claim: undefined,
  isAmountRefused: false,
  codeProblem: undefined,
  tipProblem: undefined,
};

/** Pages for payers: a checkout, a single intent, a terminal's display. */
export function checkoutPages(
  scope: PageScope,
  parts: CheckoutParts & StartCheckout & { programs: MppParts },
): void {
  const { programs } = parts;
  pageRoute(scope, {
    method: 'GET',
    path: '/checkout/:token',
    answerProgram: ({ params, request, reply }) =>
      answerProgram(programs, request, reply, () => checkoutPlace(parts, params.token!)),
    async handle({ params, language, query, request }) {
      const found = await requireSession(parts, params.token!);
      const isVisitor = await isVisiting(parts, request.headers, found.session);
      return checkoutPage(parts, found, language, {
        claim: claimOf(query),
        isAmountRefused: isAmountRefused(query),
        codeProblem: CODE_PROBLEMS.find((problem) => problem === query.code),
        tipProblem: TIP_PROBLEMS.find((problem) => problem === query.tip),
        isVisitor,
      });
    },
  });
  pageRoute(scope, {
    method: 'POST',
    path: '/checkout/:token/promotion-code',
    rate: 'checkout',
    handle: (call) => enterCode(parts, call),
  });
  pageRoute(scope, {
    method: 'POST',
    path: '/checkout/:token/tip',
    rate: 'checkout',
    handle: (call) => enterTip(parts, call),
  });
  pageRoute(scope, {
    method: 'GET',
    path: '/checkout/:token/receipt.pdf',
    handle: (call) => sendReceipt(parts, call),
  });
  pageRoute(scope, {
    method: 'GET',
    path: TRIAL_PATH,
    async handle({ params, language }) {
      const found = await requireSession(parts, params.token!);
      requireTrialProof(parts, found.session, params.proof!);
      const startPath = `${found.path}/start/${params.proof}`;
      return checkoutPage(parts, found, language, { ...NOTHING_TYPED, isVisitor: false, startPath });
    },
  });
  pageRoute(scope, {
    method: 'POST',
    path: TRIAL_PATH,
    rate: 'checkout',
    async handle(call) {
      const { session } = await requireSession(parts, call.params.token!);
      const checkoutUrl = await beginTrial(parts, session, call.params.proof!);
      return back(new URL(checkoutUrl).pathname, call, {});
    },
  });
  payerActions(scope, parts, '/checkout/:token', async ({ params }) => {
    const { session, merchantId, path } = await requireSession(parts, params.token!);
    const [intent, invoice] = await Promise.all([
      findIntentAnywhere(parts.db, session.paymentIntentId),
      findInvoice(parts.db, { merchantId, id: session.invoiceId }),
    ]);
    const deadline = invoice?.billingReason === 'manual' ? invoice.dueAt! : undefined;
    return { intent: intent!, path, deadline };
  });

  pageRoute(scope, {
    method: 'GET',
    path: '/intents/:id',
    answerProgram: ({ params, request, reply }) =>
      answerProgram(programs, request, reply, () => intentPlace(parts, params.id!)),
    async handle({ params, language, query }) {
      const typed = { claim: claimOf(query), isAmountRefused: isAmountRefused(query) };
      return intentPage(parts, await requireIntent(parts, params.id!), language, typed);
    },
  });
  payerActions(scope, parts, '/intents/:id', async ({ params }) => {
    const intent = await requireIntent(parts, params.id!);
    return { intent, path: `/intents/${intent.id}` };
  });

  pageRoute(scope, {
    method: 'GET',
    path: '/terminals/:id',
    handle: async ({ params, language }) =>
      terminalPage(parts, await requireTerminal(parts, params.id!), language),
  });
  pageRoute(scope, {
    method: 'GET',
    path: '/terminals/:id/live',
    async handle({ params, request, reply }) {
      const { id } = await requireTerminal(parts, params.id!);
      return answerLive(parts.live, { kind: 'terminal', id }, request, reply);
    },
  });
}

/** The customer enters a promotion code or removes it; a session that then costs nothing is complete. */
async function enterCode(parts: CheckoutParts, call: PageCall): Promise<Redirect> {
  const { db, clock } = parts;
  const { session, merchantId, path } = await requireSession(parts, call.params.token!);
  const { paymentIntentId } = session;
  const now = clock.now();
  const promotionCode = call.form.code ?? '';
  const visitor = { ip: call.request.ip, places: placesOf(db) };
  try {
    const change = async (tx: Tx) => {
      const place = { merchantId, paymentIntentId, now };
      const changed = call.form.remove
        ? await removePromotionCode(tx, place)
        : await applyPromotionCode(tx, { ...place, promotionCode, visitor });
      await completeIfFree(tx, changed, now);
    };
    await codesInTurn(merchantId, () => db.transaction(change));
    return back(path, call, {});
  } catch (error) {
    const code = problemOfCode(error);
    if (!code) throw error;
    return back(path, call, { code });
  }
}

async function completeIfFree(tx: Tx, session: Session, now: Date): Promise<void> {
  if (session.amountCents === 0n && session.status === 'open' && !awaitsMailbox(session))
    await completeFreeSession(tx, session, now);
}

/** The customer adds a tip, changes it or takes it away. */
async function enterTip(parts: CheckoutParts, call: PageCall): Promise<Redirect> {
  const { db, clock } = parts;
  const { session, merchantId, path } = await requireSession(parts, call.params.token!);
  const { paymentIntentId } = session;
  const tip = readTip(call.form);
  if (!tip) return back(path, call, { tip: 'wrong' });
  try {
    const now = clock.now();
    await db.transaction(async (tx) =>
      completeIfFree(tx, await setTip(tx, { merchantId, paymentIntentId, tip, now }), now),
    );
    return back(path, call, {});
  } catch (error) {
    const problem = problemOfTip(error);
    if (!problem) throw error;
    return back(path, call, { tip: problem });
  }
}

/** A checkout as programs meet it. */
async function checkoutPlace(parts: CheckoutParts, token: string): Promise<IntentPlace> {
  const { session, merchantId, path } = await requireSession(parts, token);
  const intent = (await findIntentAnywhere(parts.db, session.paymentIntentId))!;
  const { lines } = (await findInvoice(parts.db, { merchantId, id: session.invoiceId }))!;
  const description = lines.map((line) => line.description).join(', ');
  return placeOf(parts, intent, path, description);
}

async function intentPlace(parts: CheckoutParts, id: string): Promise<IntentPlace> {
  const intent = await requireIntent(parts, id);
  return placeOf(parts, intent, `/intents/${intent.id}`, intent.orderId ?? 'Payment');
}

function placeOf(parts: CheckoutParts, intent: Intent, path: string, description: string): IntentPlace {
  const resource = { url: `${parts.publicUrl()}${path}`, description, mimeType: 'application/json' };
  return { kind: 'intent', intent, resource };
}

type RequireIntent = (
  call: PageCall,
) => Promise<{ intent: Intent; path: string; deadline?: Date | undefined }>;

const LOOKS_EVERY_MS = 10 * 60_000;

/** Actions of a payer on a page: following changes, reporting a payment, asking for an amount that names it, and in the sandbox paying. */
function payerActions(
  scope: PageScope,
  parts: CheckoutParts,
  path: string,
  requireIntentOf: RequireIntent,
): void {
  pageRoute(scope, {
    method: 'GET',
    path: `${path}/live`,
    async handle(call) {
      const { intent } = await requireIntentOf(call);
      // A page that stays open is somebody who looks: it is requested again, as if they had reloaded it.
      const looking = setInterval(() => void requireIntentOf(call).catch(() => undefined), LOOKS_EVERY_MS);
      call.reply.raw.on('close', () => clearInterval(looking));
      return answerLive(parts.live, { kind: 'intent', id: intent.id }, call.request, call.reply);
    },
  });
  pageRoute(scope, {
    method: 'POST',
    path: `${path}/check`,
    async handle(call) {
      const { intent, path: page } = await requireIntentOf(call);
      const claim = await claimPayment(parts, intent.id, call.form.signature);
      return back(page, call, { claim });
    },
  });
  pageRoute(scope, {
    method: 'POST',
    path: `${path}/reserved-amount`,
    async handle(call) {
      const { intent, path: page } = await requireIntentOf(call);
      const outcome = await askForAmount(parts, intent, call.request.ip);
      const { redirectTo } = back(page, call, outcome);
      return { redirectTo: `${redirectTo}#${OTHER_WALLET}` };
    },
  });
  const { trial } = parts;
  if (!trial) return;
  pageRoute(scope, {
    method: 'POST',
    path: `${path}/test-payment`,
    async handle(call) {
      const { intent, path: page, deadline } = await requireIntentOf(call);
      const kind = TEST_PAYMENTS.find((each) => each === call.form.kind);
      if (!kind) throw badField('kind', `must be one of ${TEST_PAYMENTS.join(', ')}`);
      await makeTestPayment({ ...parts, trial }, intent, kind satisfies TestPayment, deadline);
      return back(page, call, {});
    },
  });
}

function back(path: string, { language }: PageCall, more: Record<string, string>): Redirect {
  return { redirectTo: `${path}?${new URLSearchParams({ lang: language, ...more })}` };
}

async function claimPayment(parts: CheckoutParts, intentId: string, signature: string | undefined) {
  try {
    await checkPayment(parts, intentId, signature);
    return 'thanks';
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return 'malformed';
    throw error;
  }
}

function claimOf({ claim }: PageCall['query']): Claim {
  return claim === 'thanks' || claim === 'malformed' ? claim : undefined;
}
