import type { Rpc } from '../../chain/solana/rpc.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { PAYOUTS } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Int32, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { createChallenge } from '../payouts/challenge.ts';
import { inspectAddress } from '../payouts/inspect-address.ts';
import { MAX_DELAY_HOURS } from '../payouts/pending-change.ts';
import { setPayoutAddress, setPayoutDelay } from './change-payout.ts';
import { PayoutView, readPayout } from './read-payout.ts';

const PayoutBody = Shape('UpdatePayoutAddressRequest', {
  payoutAddress: Text({ max: 64, description: 'A Solana address, base58.' }),
});

const DelayBody = Shape('UpdatePayoutDelayRequest', {
  payoutChangeDelayHours: Int32({
    min: 0,
    max: MAX_DELAY_HOURS,
    description: '0: changes take effect immediately.',
  }),
});

const ChallengeBody = Shape('CreatePayoutChallengeRequest', {
  payoutAddress: Text({ max: 64, description: 'The address of the wallet that will sign.' }),
});

const ChallengeView = Shape('PayoutChallenge', {
  payoutAddress: Text({ max: 64 }),
  message: Text({ max: 2_048, description: 'What the wallet signs, byte for byte, in UTF-8.' }),
  expiresAt: Timestamp(),
});

export interface PayoutRoutes {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  publicUrl(): string;
}

const guard = { scopes: SCOPES, ownerOnly: true, stepUp: true, verified: true } as const;

export function payoutRoutes(app: App, { db, clock, rpc, publicUrl }: PayoutRoutes): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/payout-address',
    id: 'getPayoutAddress',
    sdk: 'merchant.retrievePayoutAddress',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Get the payout address',
    scopes: [],
    success: { status: 200, schema: PayoutView, description: 'The address, and what is known about it.' },
    errors: ['NOT_FOUND'],
    handle: ({ principal }) => readPayout(db, principal.merchantId),
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/payout-address',
    id: 'updatePayoutAddress',
    sdk: 'merchant.updatePayoutAddress',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Set the payout address',
    description:
      'Applies to intents created from now on; each keeps the destination it was created with. A program, a mint or a token account is refused. So is an address that another merchant of the installation uses, unless you prove that the wallet is yours. If an address is already set, the change is delayed by `payoutChangeDelayHours`: the response has it as `pendingChange`, every owner gets an e-mail, and an owner can cancel it. A newer change replaces it and starts the delay again.',
    ...guard,
    body: PayoutBody,
    success: {
      status: 200,
      schema: PayoutView,
      description: 'The address in effect, and the pending change.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'PAYOUT_ADDRESS_TAKEN', 'SERVICE_UNAVAILABLE'],
    async handle({ principal, body }) {
      const { merchantId, actor } = principal;
      await inspectAddress(rpc, body.payoutAddress);
      const change = { merchantId, actor, now: clock.now() };
      await db.transaction((tx) => setPayoutAddress(tx, change, body.payoutAddress));
      app.authenticator.forget(merchantId);
      return readPayout(db, merchantId);
    },
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/payout-address/delay',
    id: 'updatePayoutDelay',
    sdk: 'merchant.updatePayoutDelay',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Set the delay of payout address changes',
    description:
      'A longer delay applies immediately. A shorter one applies after the current delay; until then it is the `pendingDelayChange`. Pending changes keep their time.',
    ...guard,
    body: DelayBody,
    success: {
      status: 200,
      schema: PayoutView,
      description: 'The delay in effect, and the pending change.',
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, body }) {
      const { merchantId, actor } = principal;
      const change = { merchantId, actor, now: clock.now() };
      await db.transaction((tx) => setPayoutDelay(tx, change, body.payoutChangeDelayHours));
      return readPayout(db, merchantId);
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/b2b/merchants/payout-address/challenge',
    id: 'createPayoutChallenge',
    sdk: 'merchant.createPayoutChallenge',
    assistant: { withheld: PAYOUTS },
    tag: 'Merchant',
    summary: 'Create a message for a wallet to sign',
    description:
      'The first step of proving that a wallet is yours. The message names this installation and your merchant, and can be used once, within 10 minutes.',
    ...guard,
    body: ChallengeBody,
    success: { status: 200, schema: ChallengeView, description: 'The message to sign.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, body }) {
      const { payoutAddress: address } = body;
      const request = {
        merchantId: principal.merchantId,
        address,
        publicUrl: publicUrl(),
        now: clock.now(),
      };
      const { message, expiresAt } = await db.transaction((tx) => createChallenge(tx, request));
      return { payoutAddress: address, message, expiresAt };
    },
  });
}
