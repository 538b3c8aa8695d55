import { customerExpansion } from '../../accounts/customers/load-customers.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { SCOPES } from '../../platform/access/key.ts';
import type { KeyedSpec } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { REFUNDS } from '../../platform/http/assistant.ts';
import { answerList, Page } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import type { TSchema } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { newMetadata } from '../../platform/lib/metadata.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { approveAddress } from './approve-address.ts';
import {
  ApproveBody,
  ClaimLinkView,
  CreateRefundBody,
  ListQuery,
  PatchRefundBody,
  PrepareBody,
  PreparedView,
  SendBody,
  SentView,
} from './bodies.ts';
import { updateCheckSooner } from './check-queries.ts';
import { createClaimLink } from './claim.ts';
import { createRefund } from './create-refund.ts';
import { cancelRefund } from './end-refund.ts';
import { findPayerOf } from './find-payer-of.ts';
import { findTarget } from './find-target.ts';
import { inspectReceiver } from './inspect-receiver.ts';
import { patchRefund } from './patch-refund.ts';
import { prepareRefunds } from './prepare-refunds.ts';
import { presentRefund, RefundView } from './present.ts';
import { listRefunds } from './queries.ts';
import type { Refund } from './refund.ts';
import { requestRefundCheck } from './refund-checks.ts';
import { requireRefund } from './require-refund.ts';
import { sendRefunds } from './send-refunds.ts';

export interface RefundRoutes {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  latestBlockhash(): Promise<LatestBlockhash>;
  mint: string;
  publicUrl(): string;
  secrets: SecretBox;
}

const TAG = 'Refunds';

export function refundRoutes(app: App, parts: RefundRoutes): void {
  const { db, clock, mint } = parts;
  const present = (refund: Refund) => presentRefund(refund, mint);

  /** Requires a key with all permissions, or an owner who has just authenticated again: these routes may move money. */
  function change<Body extends TSchema | undefined = undefined>(
    spec: Omit<KeyedSpec<Body, undefined>, 'scopes' | 'tag' | 'ownerOnly' | 'stepUp'>,
  ) {
    billingRoute<Body>(app, { ...spec, tag: TAG, scopes: SCOPES, ownerOnly: true, stepUp: true });
  }

  change<typeof CreateRefundBody>({
    method: 'POST',
    path: '/refunds',
    id: 'createRefund',
    sdk: 'refunds.create',
    // The limit is enforced where the refund is created. To whom the money goes is for the customer and a person to say.
    assistant: { write: { refused: ['address', 'exceptionId'] } },
    summary: 'Create a refund',
    description:
      'Promises money back, within what was received. Florin holds no keys: your wallet sends it, and the chain proves it. Without an address, send the customer a claim link to get one. With `notifyCustomer` and an e-mail address the link is e-mailed.',
    body: CreateRefundBody,
    idempotency: 'text',
    success: { status: 201, schema: RefundView, description: 'The refund. Nothing has moved yet.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId, actor } = principal;
      const now = clock.now();
      const target = await findTarget(db, merchantId, body);
      if (body.address) await inspectReceiver(parts, merchantId, body.address);
      const payerAddress = await findPayerOf(parts, merchantId, target);
      const request = { merchantId, operation: 'createRefund', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const { effects, ...asked } = body;
        const refund = await createRefund(tx, {
          ...{ merchantId, actor, payerAddress, mint, now, ...target },
          ...{ publicUrl: parts.publicUrl(), secrets: parts.secrets },
          amountCents: asked.amountCents,
          reason: asked.reason,
          note: asked.note ?? null,
          metadata: newMetadata(asked.metadata),
          address: asked.address ?? null,
          isAgent: principal.agent !== undefined,
          notifyCustomer: asked.notifyCustomer ?? true,
          revokeCredits: effects?.revokeCredits ?? false,
          cancelSubscription: effects?.cancelSubscription ?? false,
          takeBackCredit: effects?.takeBackCredit ?? false,
        });
        return { status: 201, text: serialize(present(refund)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/refunds',
    id: 'listRefunds',
    sdk: 'refunds.list',
    assistant: 'read',
    tag: TAG,
    summary: 'List refunds',
    scopes: ['billing:read', 'payments:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('RefundPage', RefundView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        RefundView,
        (range) => listRefunds(db, call.principal.merchantId, call.query, range),
        present,
        { customer: customerExpansion(db, call.principal.merchantId) },
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/refunds/{refundId}',
    id: 'getRefund',
    sdk: 'refunds.retrieve',
    assistant: 'read',
    tag: TAG,
    summary: 'Get a refund',
    scopes: ['billing:read', 'payments:read'],
    success: { status: 200, schema: RefundView, description: 'The refund as it is now.' },
    errors: ['NOT_FOUND'],
    handle: async ({ principal, params }) => {
      const refund = await requireRefund(db, principal.merchantId, params.refundId!);
      await requestRefundCheck(db, refund, clock.now());
      return present(refund);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/refunds/{refundId}',
    id: 'updateRefund',
    sdk: 'refunds.update',
    assistant: 'write',
    tag: TAG,
    summary: 'Update a refund',
    description: 'Its metadata, at any time. Nothing else about a refund changes by this.',
    scopes: SCOPES,
    body: PatchRefundBody,
    success: { status: 200, schema: RefundView, description: 'The refund as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const ref = { merchantId: principal.merchantId, id: params.refundId!.toLowerCase() };
      return present(await db.transaction((tx) => patchRefund(tx, ref, body)));
    },
  });

  change({
    method: 'POST',
    path: '/refunds/{refundId}/cancel',
    id: 'cancelRefund',
    sdk: 'refunds.cancel',
    assistant: { withheld: REFUNDS },
    summary: 'Cancel a refund',
    description:
      'Before it is sent. What was sent of it already stays refunded. A transaction that was signed before and lands afterwards still counts, as far as the money was not refunded otherwise.',
    idempotency: 'text',
    success: { status: 200, schema: RefundView, description: 'The refund, now canceled.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, params, idempotencyKey, serialize }) {
      const { merchantId, actor } = principal;
      const id = params.refundId!.toLowerCase();
      const now = clock.now();
      const request = { merchantId, operation: `cancelRefund:${id}`, key: idempotencyKey, body: {}, now };
      return withIdempotency(db, request, async (tx) => {
        const refund = await cancelRefund(tx, { merchantId, id, actor, mint, now });
        return { status: 200, text: serialize(present(refund)) };
      });
    },
  });

  change({
    method: 'POST',
    path: '/refunds/{refundId}/claim-link',
    id: 'createRefundClaimLink',
    sdk: 'refunds.createClaimLink',
    assistant: { withheld: REFUNDS },
    summary: 'Create a claim link',
    description:
      'A page on which the customer names the address to refund to. Send it to the customer alone: it is shown once, and a new link ends the one before.',
    success: { status: 201, schema: ClaimLinkView, description: 'The link.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      const { merchantId, actor } = principal;
      const id = params.refundId!.toLowerCase();
      const request = { merchantId, id, actor, publicUrl: parts.publicUrl(), now: clock.now() };
      return db.transaction((tx) => createClaimLink(tx, request));
    },
  });

  change<typeof ApproveBody>({
    method: 'POST',
    path: '/refunds/{refundId}/approve-address',
    id: 'approveRefundAddress',
    sdk: 'refunds.approveAddress',
    assistant: { withheld: REFUNDS },
    summary: 'Approve the address of a refund',
    description:
      'Freezes the address that the customer named, or names one where there is none yet. Say the address you have looked at: if the customer has changed it meanwhile, nothing is approved.',
    body: ApproveBody,
    idempotency: 'text',
    success: { status: 200, schema: RefundView, description: 'The refund, now ready to be sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, params, body, idempotencyKey, serialize }) {
      const { merchantId, actor } = principal;
      const id = params.refundId!.toLowerCase();
      const now = clock.now();
      await requireRefund(db, merchantId, id);
      await inspectReceiver(parts, merchantId, body.address);
      const request = { merchantId, operation: `approveRefundAddress:${id}`, key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const refund = await approveAddress(tx, { merchantId, id, address: body.address, actor, mint, now });
        return { status: 200, text: serialize(present(refund)) };
      });
    },
  });

  change<typeof PrepareBody>({
    method: 'POST',
    path: '/refunds/prepare',
    id: 'prepareRefunds',
    sdk: 'refunds.prepare',
    assistant: { withheld: REFUNDS },
    summary: 'Prepare refunds for signing',
    description:
      'One unsigned transaction that sends all of them, or none. Sign it with the wallet of `payer` within a minute or so, in a browser or offline, and send it. Preparing again is safe until one has been signed; with `unlessPrepared` it is refused while another may still land.',
    body: PrepareBody,
    success: { status: 200, schema: PreparedView, description: 'The transaction to sign.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body }) {
      const { merchantId } = principal;
      const ids = body.ids.map((id: string) => id.toLowerCase());
      const isOnlyOne = body.unlessPrepared ?? false;
      const input = { merchantId, ids, payer: body.payer, isOnlyOne, now: clock.now() };
      const { refunds, ...prepared } = await prepareRefunds(parts, input);
      return { ...prepared, payer: body.payer, refunds: refunds.map(present) };
    },
  });

  change<typeof SendBody>({
    method: 'POST',
    path: '/refunds/send',
    id: 'sendRefunds',
    sdk: 'refunds.send',
    assistant: { withheld: REFUNDS },
    summary: 'Send signed refunds',
    description:
      'For wallets that sign and do not send. Only a transaction that sends nothing but refunds that are ready, each exactly what is due, is sent to the network; sending it again is the same transaction.',
    body: SendBody,
    success: { status: 202, schema: SentView, description: 'Sent. The chain decides whether it lands.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body }) {
      const input = { merchantId: principal.merchantId, transaction: body.transaction, now: clock.now() };
      const { signature, refunds } = await sendRefunds(parts, input);
      return { signature, refundIds: refunds.map(({ id }) => id) };
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/refunds/{refundId}/check',
    id: 'checkRefund',
    sdk: 'refunds.check',
    assistant: 'write',
    tag: TAG,
    summary: 'Look a refund up on the chain',
    description:
      'Triggers a lookup soon; calling more often changes nothing. Refunds are found without it too.',
    scopes: SCOPES,
    success: { status: 202, schema: RefundView, description: 'The refund as it is now, before that lookup.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const refund = await requireRefund(db, principal.merchantId, params.refundId!);
      await updateCheckSooner(db, refund.merchantId, [refund.id], clock.now());
      return present(refund);
    },
  });
}
