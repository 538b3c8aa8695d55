import { type App, route } from '../../platform/http/route.ts';
import { Optional, Shape, Text } from '../../platform/http/schema.ts';
import { findClaimedRefund } from './claim.ts';
import {
  claimRefund,
  type PublicRefundParts,
  PublicRefundView,
  presentPublicRefund,
} from './public-refund.ts';

const ClaimBody = Shape('ClaimRefundRequest', {
  address: Text({ min: 32, max: 44, description: 'Your wallet’s Solana address.' }),
  signature: Optional(
    Text({
      min: 64,
      max: 88,
      description: 'Of the message for this address, in base58: needs no approval then.',
    }),
  ),
});

/** Routes for a customer with a claim link, without a key. */
export function publicRefundRoutes(app: App, parts: PublicRefundParts): void {
  const { db } = parts;
  const params = { token: Text({ min: 50, max: 50 }) };

  route(app, {
    method: 'GET',
    path: '/api/public/refunds/{token}',
    id: 'getPublicRefund',
    sdk: 'publicRefunds.retrieve',
    tag: 'Paying',
    summary: 'Get a refund as its customer',
    params,
    success: {
      status: 200,
      schema: PublicRefundView,
      description: 'The amount, the address and the status.',
    },
    errors: ['NOT_FOUND'],
    handle: async ({ params }) => presentPublicRefund(parts, await findClaimedRefund(db, params.token!)),
  });

  route(app, {
    method: 'POST',
    path: '/api/public/refunds/{token}',
    id: 'claimPublicRefund',
    sdk: 'publicRefunds.claim',
    tag: 'Paying',
    summary: 'Name the address of a refund',
    description:
      'The merchant approves it before anything is sent, unless you signed with the wallet that paid. Until then it can be changed.',
    params,
    body: ClaimBody,
    success: { status: 200, schema: PublicRefundView, description: 'The refund with its address.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    handle: async ({ params, body }) =>
      presentPublicRefund(parts, await claimRefund(parts, params.token!, body.address, body.signature)),
  });
}
