import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import { FACILITATOR } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Flag,
  HandlerValidated,
  Int32,
  List,
  MapOf,
  Optional,
  Shape,
  Text,
} from '../../platform/http/schema.ts';
import { settlePayment, verifyPayment } from './facilitate.ts';
import type { X402Parts } from './parts.ts';
import { isRefusal, NETWORK_IDS, SCHEME, X402_VERSION } from './protocol.ts';
import { findReceipt } from './queries.ts';
import { settleResponse } from './receipt.ts';

const AnyObject = (description: string) => HandlerValidated({ type: 'object', description } as never);

const Body = Shape('X402PaymentRequest', {
  x402Version: Optional(Int32({ description: 'Always 2.' })),
  paymentPayload: AnyObject('What the client sent in PAYMENT-SIGNATURE, decoded.'),
  paymentRequirements: AnyObject('What your server required.'),
});

const Supported = Shape('X402Supported', {
  kinds: List(
    Shape('X402Kind', {
      x402Version: Int32(),
      scheme: Text(),
      network: Text(),
      extra: Shape('X402KindExtra', { feePayer: Text() }),
    }),
  ),
  extensions: List(Text()),
  signers: MapOf('^.+$', List(Text()), { max: 10 }),
});

const Verified = Shape('X402Verification', {
  isValid: Flag(),
  invalidReason: Optional(Text({ description: 'The protocol’s code for what is wrong.' })),
  invalidMessage: Optional(Text({ max: 500 })),
  payer: Text({ min: 0, max: 44 }),
});

const Settled = Shape('X402Settlement', {
  success: Flag(),
  errorReason: Optional(Text({ description: 'The protocol’s code for what is wrong.' })),
  errorMessage: Optional(Text({ max: 500 })),
  payer: Text({ min: 0, max: 44 }),
  transaction: Text({ min: 0, max: 88, description: 'Its signature; empty where nothing was sent.' }),
  network: Text(),
  extra: Optional(Shape('X402SettlementExtra', { paymentIntentId: Text(), invoiceId: Text() })),
});

const RETRY_SECONDS = 2;
/** The merchant's own servers take turns with those who pay it, as one of them. */
const WITH_KEY = 'key';

/** A facilitator for merchants' own servers: an unmodified x402 server that is pointed here sells through Florin. */
export function facilitatorRoutes(app: App, parts: X402Parts): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/x402/supported',
    id: 'getX402Supported',
    sdk: 'x402.supported',
    assistant: { withheld: FACILITATOR },
    tag: 'x402',
    summary: 'List what the facilitator supports',
    scopes: ['billing:read'],
    success: { status: 200, schema: Supported, description: 'Empty where no fee payer is set up.' },
    errors: [],
    handle: async () => presentSupported(parts),
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/x402/verify',
    id: 'verifyX402Payment',
    sdk: 'x402.verify',
    assistant: { withheld: FACILITATOR },
    tag: 'x402',
    summary: 'Verify a payment',
    description:
      'Whether it would settle: checked against your payout address and simulated. Writes nothing.',
    scopes: ['billing:write'],
    body: Body,
    success: { status: 200, schema: Verified, description: 'Valid, or what is wrong.' },
    errors: ['BAD_REQUEST', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body }) {
      const { merchantId } = principal;
      const verified = await inShareOf([merchantId, WITH_KEY], () => verifyPayment(parts, merchantId, body));
      if (!isRefusal(verified)) return { isValid: true, payer: verified.payer };
      const { reason: invalidReason, message: invalidMessage, payer = '' } = verified;
      return { isValid: false, invalidReason, invalidMessage, payer };
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/x402/settle',
    id: 'settleX402Payment',
    sdk: 'x402.settle',
    assistant: { withheld: FACILITATOR },
    tag: 'x402',
    summary: 'Settle a payment',
    description:
      'Pays the network fee, sends the payment and answers when it has landed. The payment gets an intent and an invoice of the project that payTo belongs to, or of `extra.projectId`. The same payment again gets the same outcome. While the outcome is not known, the answer is 503 with `settlement_pending`; it is 503 with another reason while the payer’s wallet has too much under way. Both are for sending the same again after `Retry-After`.',
    scopes: ['billing:write'],
    verified: true,
    body: Body,
    idempotency: 'own',
    success: { status: 200, schema: Settled, description: 'Settled, or what is wrong.' },
    errors: ['BAD_REQUEST', 'IDEMPOTENCY_IN_PROGRESS', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body, idempotencyKey, reply, serialize }) {
      const { merchantId } = principal;
      const settle = () => settlePayment(parts, merchantId, body, idempotencyKey);
      const outcome = await inShareOf([merchantId, WITH_KEY], settle);
      const settled = settleResponse(parts, outcome);
      const retrySeconds = outcome.kind === 'refused' ? outcome.retrySeconds : undefined;
      if (outcome.kind === 'pending' || retrySeconds !== undefined) {
        reply.header('Retry-After', String(retrySeconds ?? RETRY_SECONDS));
        return { status: 503, text: serialize(settled) };
      }
      if (outcome.kind !== 'paid') return settled;
      const receipt = await findReceipt(parts.db, outcome.merchantId, outcome.intentId);
      return { ...settled, extra: { paymentIntentId: outcome.intentId, invoiceId: receipt!.invoiceId! } };
    },
  });
}

function presentSupported({ sponsor, network }: X402Parts) {
  const extensions = ['payment-identifier'];
  if (!sponsor) return { kinds: [], extensions, signers: {} };
  const feePayer = sponsor.feePayer.address;
  const kind = {
    x402Version: X402_VERSION,
    scheme: SCHEME,
    network: NETWORK_IDS[network],
    extra: { feePayer },
  };
  return { kinds: [kind], extensions, signers: { 'solana:*': [feePayer] } };
}
