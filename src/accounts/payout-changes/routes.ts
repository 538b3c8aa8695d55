import { isOffCurve } from '../../chain/solana/off-curve.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { PAYOUTS } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { lockExisting } from '../merchants/change-merchant.ts';
import { cancelPending } from '../payouts/pending-change.ts';
import { transferAddress } from './transfer-address.ts';

const VerifyBody = Shape('VerifyPayoutAddressRequest', {
  payoutAddress: Text({ max: 64, description: 'The address the challenge was created for.' }),
  signature: Text({ max: 128, description: 'The wallet’s ed25519 signature of the message, base58.' }),
});

const VerifiedView = Shape('VerifiedPayoutAddress', {
  payoutAddress: Text({ max: 64 }),
  isOffCurve: Flag(),
  verifiedAt: Timestamp(),
});

export function payoutChangeRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/b2b/merchants/payout-address/verify',
    id: 'verifyPayoutAddress',
    sdk: 'merchant.verifyPayoutAddress',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Prove that a wallet is yours',
    description:
      'Takes the signature of a challenge. From now on the address belongs only to your merchant: another merchant that used it can no longer request payments there, and its owners get an e-mail. Your own payout address stays as it is until you set it.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    verified: true,
    body: VerifyBody,
    success: { status: 200, schema: VerifiedView, description: 'The wallet is yours.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal, body }) {
      const { merchantId, actor } = principal;
      const { payoutAddress: address, signature } = body;
      const now = clock.now();
      const takeOver = { merchantId, actor, address, signature, now };
      const losers = await db.transaction((tx) => transferAddress(tx, takeOver));
      for (const loser of losers) app.authenticator.forget(loser);
      return { payoutAddress: address, isOffCurve: isOffCurve(address), verifiedAt: now };
    },
  });
  keyedRoute(app, {
    method: 'DELETE',
    path: '/api/b2b/merchants/payout-changes/{payoutChangeId}',
    id: 'cancelPayoutChange',
    sdk: 'merchant.cancelPayoutChange',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Cancel a pending payout change',
    description:
      'Of the merchant’s payout address, of a project’s, or of the delay itself. Everything stays as it is. An owner needs no confirmation.',
    scopes: SCOPES,
    ownerOnly: true,
    success: { status: 204, description: 'It will not take effect.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const by = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      await db.transaction(async (tx) => {
        await lockExisting(tx, by.merchantId);
        await cancelPending(tx, by, params.payoutChangeId!);
      });
    },
  });
}
