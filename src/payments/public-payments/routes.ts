import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { STATUSES } from '../../intents/intent.ts';
import { PAYMENT_URL } from '../../intents/present.ts';
import type { Database } from '../../platform/db/database.ts';
import { type App, route } from '../../platform/http/route.ts';
import {
  Flag,
  Int64,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Sponsor } from '../sponsor/sponsor.ts';
import { checkPayment } from './check-payment.ts';
import type { PaymentLimits } from './payment-limits.ts';
import { prepareForPage, prepareIntentPayment, prepareTerminalPayment } from './prepare-payment.ts';
import { readPublicIntent } from './read-public-intent.ts';
import { sendPayment } from './send-payment.ts';
import { transactionRequest } from './transaction-request.ts';

const PublicIntent = Shape('PublicPaymentIntent', {
  merchantName: Nullable(Text()),
  expectedAmountCents: Int64(),
  amountReceivedCents: Int64(),
  destinationAddress: Text(),
  referenceAddress: Text(),
  status: OneOf(STATUSES),
  expiresAt: Timestamp(),
  paymentUrl: Nullable(Text({ max: 2048, description: PAYMENT_URL })),
});

const CheckBody = Shape('CheckPaymentRequest', {
  signature: Optional(
    Text({
      min: 64,
      max: 88,
      description: 'The signature of your payment, if your wallet shows it: base58.',
    }),
  ),
});

const SendBody = Shape('SendPaymentRequest', {
  transaction: Text({
    max: 1644,
    description: 'Signed, in base64: the response of a transaction request, with the payer’s signature.',
  }),
});

const SentPayment = Shape('SentPayment', {
  signature: Text({ max: 88, description: 'The transaction’s, in base58.' }),
});

const TransactionBody = Shape('PaymentTransactionRequest', {
  account: Text({ min: 32, max: 44, description: 'The wallet that pays.' }),
  paysFee: Optional(
    Flag(
      'The wallet pays the network fee itself: after a transaction whose fee would have been paid was refused, as one is that the wallet has changed.',
    ),
  ),
});

const TransactionView = Shape('PaymentTransaction', {
  transaction: Text({ max: 1644, description: 'Unsigned, in base64.' }),
  message: Text({ max: 300 }),
  isSponsored: Flag(
    'The network fee is paid for the payer. Then the wallet only signs, and the transaction is sent with `…/send`.',
  ),
  feePayer: Text({
    max: 44,
    description: 'The account that pays the network fee: `account`, or the sponsor’s.',
  }),
});

export interface PayingRoutes {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  mint: string;
  log: Logger;
  /** Absent where no fee payer is set. */
  sponsor: Sponsor | undefined;
  limits: PaymentLimits;
  latestBlockhash(): Promise<LatestBlockhash>;
  publicUrl(): string;
}

/** Routes that payers and their wallets call without a key. */
export function payingRoutes(app: App, parts: PayingRoutes): void {
  route(app, {
    method: 'GET',
    path: '/api/public/intents/{intentId}',
    id: 'getPublicPaymentIntent',
    sdk: 'publicIntents.retrieve',
    tag: 'Paying',
    summary: 'Get a payment intent as a payer',
    success: {
      status: 200,
      schema: PublicIntent,
      description: 'The amount, where to pay, and the status.',
    },
    errors: ['NOT_FOUND'],
    handle: ({ params }) => readPublicIntent(parts, params.intentId!.toLowerCase()),
  });

  route(app, {
    method: 'POST',
    path: '/api/public/intents/{intentId}/check',
    id: 'checkPublicPaymentIntent',
    sdk: 'publicIntents.check',
    repeatable: true,
    tag: 'Paying',
    summary: 'Report a payment',
    description:
      'Triggers a lookup on chain soon; calling more often changes nothing. If you name a transaction, it is read like any other: it counts if it pays this intent.',
    body: CheckBody,
    bodyOptional: true,
    success: { status: 202, schema: PublicIntent, description: 'The current status, before that lookup.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED'],
    handle: ({ params, body }) => checkPayment(parts, params.intentId!.toLowerCase(), body.signature),
  });

  route(app, {
    method: 'POST',
    path: '/api/public/intents/{intentId}/send',
    id: 'sendPublicPayment',
    sdk: 'publicIntents.send',
    repeatable: true,
    tag: 'Paying',
    summary: 'Send a signed payment',
    description:
      'For wallets that sign and do not send. Only a transaction that pays exactly the amount due to this intent is sent to the network; sending it again is the same payment.',
    body: SendBody,
    success: {
      status: 202,
      schema: SentPayment,
      description: 'Sent. The chain decides whether it lands.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    handle: ({ params, body, request }) =>
      sendPayment(parts, {
        id: params.intentId!.toLowerCase(),
        transaction: body.transaction,
        ip: request.ip,
      }),
  });

  route(app, {
    method: 'POST',
    path: '/api/public/intents/{intentId}/transaction',
    id: 'createPublicPaymentTransaction',
    sdk: 'publicIntents.createTransaction',
    repeatable: true,
    tag: 'Paying',
    summary: 'Get a payment as a transaction',
    description:
      'A transaction that pays what is due on this intent, for this wallet to sign. Where fees are sponsored, the payer needs no SOL.',
    body: TransactionBody,
    success: { status: 200, schema: TransactionView, description: 'For the wallet to sign.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    handle: ({ params, body, request }) =>
      prepareForPage(parts, {
        intentId: params.intentId!.toLowerCase(),
        account: body.account,
        paysFee: body.paysFee ?? false,
        ip: request.ip,
      }),
  });

  // Wallet apps on phones cannot draw an SVG.
  const icon = () => `${parts.publicUrl()}/icon.png`;
  transactionRequest(app, '/api/public/intents/:id/pay', icon, (id, account) =>
    prepareIntentPayment(parts, id, account),
  );
  transactionRequest(app, '/api/public/terminals/:id/pay', icon, (id, account) =>
    prepareTerminalPayment(parts, id, account),
  );
}
