import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, List, Nullable, OneOf, Shape, Text } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { dashboardRoute } from '../members/dashboard-route.ts';
import { confirmWallet } from '../payouts/confirm-wallet.ts';
import { GO_LIVE_CHECKS, readOnboarding } from './read-onboarding.ts';

const Step = Shape('OnboardingStep', { isDone: Flag() });

const OnboardingView = Shape('Onboarding', {
  isDone: Flag('Whether all five steps are done.'),
  wallet: Shape('OnboardingWallet', {
    isDone: Flag(
      'The payout address is proven by a signature, or an owner has seen a payment in their wallet.',
    ),
    payoutAddress: Nullable(Text()),
    provenBy: Nullable(OneOf(['signature'], 'How it is known whose wallet it is.')),
    hasPayment: Flag('A payment has arrived there. That alone does not say whose wallet it is.'),
    isSeenInWallet: Flag('An owner has said that a payment shows in their wallet.'),
  }),
  payment: Step,
  paymentLink: Step,
  delivery: Shape('OnboardingDelivery', {
    isDone: Flag('A webhook endpoint or a notification has received something.'),
    hasReceiver: Flag('There is one.'),
  }),
  goLive: Shape('OnboardingGoLive', {
    isDone: Flag(),
    checks: List(Shape('GoLiveCheck', { name: OneOf(GO_LIVE_CHECKS), isDone: Flag() })),
  }),
});

const ConfirmBody = Shape('ConfirmWalletRequest', { payoutAddress: Text({ max: 64 }) });

export interface OnboardingRoutes {
  db: Database;
  clock: Clock;
  network: string;
  publicUrl(): string;
}

export function onboardingRoutes(app: App, { db, clock, network, publicUrl }: OnboardingRoutes): void {
  const read = (merchantId: string) => readOnboarding(db, merchantId, { network, publicUrl: publicUrl() });

  dashboardRoute(app, {
    method: 'GET',
    path: '/onboarding',
    id: 'getOnboarding',
    sdk: 'dashboard.retrieveOnboarding',
    summary: 'Get the steps to the first customer',
    description: 'Each is checked by what the service has stored, over all time.',
    success: { status: 200, schema: OnboardingView, description: 'As of now.' },
    errors: [],
    handle: ({ principal }) => read(principal.merchantId),
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/onboarding/wallet',
    id: 'confirmWallet',
    sdk: 'dashboard.confirmWallet',
    summary: 'Confirm that a payment shows in your wallet',
    description: 'For wallets that cannot sign a message, such as a multisig. Nothing is verified by it.',
    body: ConfirmBody,
    ownerOnly: true,
    success: { status: 200, schema: OnboardingView, description: 'The steps as they are now.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal: { merchantId, actor }, body }) {
      await db.transaction((tx) => confirmWallet(tx, { merchantId, actor, ...body, now: clock.now() }));
      return read(merchantId);
    },
  });
}
