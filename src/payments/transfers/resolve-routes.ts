import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { EXCEPTIONS, PEOPLE } from '../../platform/http/assistant.ts';
import type { App, Call } from '../../platform/http/route.ts';
import { Flag, Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { PaymentException } from './exception.ts';
import { creditException, keepException } from './keep-exception.ts';
import { ExceptionView, presentException } from './present.ts';
import { linkException, markReturned, type Resolve } from './resolve-exception.ts';
import { undoDecision } from './undo-exception.ts';

const note = Optional(Nullable(Text({ max: 2000, lines: true })));

const LinkBody = Shape('LinkExceptionRequest', {
  paymentIntentId: Uuid('An open or expired intent at the same address.'),
  sendReceipt: Optional(
    Flag(
      'Whether the customer gets the usual e-mail if this pays the intent: true unless you say otherwise. An intent without a customer’s e-mail address sends none.',
    ),
  ),
});
const ReturnBody = Shape('MarkReturnedRequest', { note });
const KeepBody = Shape('KeepExceptionRequest', { note });
const CreditBody = Shape('CreditExceptionRequest', {
  customerId: Optional(
    Uuid(
      'Whose account credit it becomes: a customer of the project that the money was paid to, if it was paid to one. Not needed where `balanceEntryId` says that it is that already. If another customer has it now, it moves to this one.',
    ),
  ),
  note,
});

const RESOLVE_ERRORS = ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'] as const;

/** Decisions about payments in review. Each takes effect once per key and answers with the updated exception. */
export function resolveRoutes(app: App, parts: Parts): void {
  keyedRoute(app, {
    ...way('link'),
    id: 'linkException',
    sdk: 'exceptions.link',
    assistant: { withheld: EXCEPTIONS },
    summary: 'Link an exception to an intent',
    description:
      'The intent is credited as if the payment had carried its reference and came now: what it pays for begins with the decision, however old the money is.',
    body: LinkBody,
    success: now('linked'),
    handle: (call) =>
      once(parts, 'linkException', call, (tx, input) =>
        linkException(
          tx,
          { ...input, sendsReceipt: call.body.sendReceipt ?? true },
          call.body.paymentIntentId.toLowerCase(),
        ),
      ),
  });
  keyedRoute(app, {
    ...way('mark-returned'),
    id: 'markExceptionReturned',
    sdk: 'exceptions.markReturned',
    assistant: { withheld: EXCEPTIONS },
    summary: 'Mark an exception as returned',
    description:
      'Florin holds no keys: you send the money back from your wallet, and record it here. Of `over_refunded`, the customer sent it back to you. 409 if a refund of the same payment sends it back, or has.',
    body: ReturnBody,
    bodyOptional: true,
    success: now('returned'),
    handle: (call) =>
      once(parts, 'markReturned', call, (tx, input) => markReturned(tx, input, call.body.note ?? null)),
  });
  keyedRoute(app, {
    ...way('keep'),
    id: 'keepException',
    sdk: 'exceptions.keep',
    assistant: { withheld: EXCEPTIONS },
    summary: 'Keep an exception’s money',
    description:
      'As a tip, or as you have agreed with the customer: it is yours already, and this records it. Of `over_refunded`, the customer keeps it. 409 if a refund of the same payment sends it back, or has.',
    body: KeepBody,
    bodyOptional: true,
    success: now('kept'),
    handle: (call) =>
      once(parts, 'keepException', call, (tx, input) => keepException(tx, input, call.body.note ?? null)),
  });
  creditRoutes(app, parts);
}

function creditRoutes(app: App, parts: Parts): void {
  keyedRoute(app, {
    ...way('credit'),
    id: 'creditException',
    sdk: 'exceptions.credit',
    assistant: { withheld: EXCEPTIONS },
    summary: 'Credit an exception to a customer',
    description: 'It becomes account credit, which the customer’s next invoices use first.',
    body: CreditBody,
    bodyOptional: true,
    success: now('credited'),
    handle: (call) =>
      once(parts, 'creditException', call, (tx, input) => {
        const { customerId, note = null } = call.body;
        return creditException(tx, input, { customerId: customerId?.toLowerCase(), note });
      }),
  });
  keyedRoute(app, {
    ...way('reopen'),
    id: 'reopenException',
    sdk: 'exceptions.reopen',
    assistant: { withheld: `It undoes what a person decided. ${PEOPLE}` },
    summary: 'Undo the decision about an exception',
    description:
      'For one that was marked as returned, kept or credited. Account credit is as it was before: credit that has been spent cannot be taken back.',
    success: now('open again'),
    handle: (call) => once(parts, 'reopenException', call, undoDecision),
  });
}

interface Parts {
  db: Database;
  clock: Clock;
}

/** Fields common to all of these routes. */
function way(name: string) {
  return {
    method: 'POST',
    path: `/api/v2/exceptions/{exceptionId}/${name}`,
    tag: 'Exceptions',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    idempotency: 'text',
    errors: RESOLVE_ERRORS,
  } as const;
}

const now = (status: string) =>
  ({ status: 200, schema: ExceptionView, description: `The exception, now ${status}.` }) as const;

function once(
  { db, clock }: Parts,
  name: string,
  { principal, params, body, idempotencyKey, serialize }: ResolveCall,
  decide: (tx: Tx, input: Resolve) => Promise<PaymentException>,
) {
  const { merchantId, actor } = principal;
  const exceptionId = params.exceptionId!.toLowerCase();
  const at = clock.now();
  const request = { merchantId, operation: `${name}:${exceptionId}`, key: idempotencyKey, body, now: at };
  return withIdempotency(db, request, async (tx) => {
    const resolved = await decide(tx, { merchantId, exceptionId, actor, now: at });
    return { status: 200, text: serialize(presentException(resolved)) };
  });
}

type ResolveCall = Call<unknown, unknown> & { principal: Principal };
