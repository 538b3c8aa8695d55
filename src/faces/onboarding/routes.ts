import { dashboardRoute } from '../../accounts/members/dashboard-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, List, Nullable, OneOf, Shape, Text } from '../../platform/http/schema.ts';
import { GO_LIVE_CHECKS, readOnboarding } from './read-onboarding.ts';

const Step = Shape('OnboardingStep', { isDone: Flag() });

const OnboardingView = Shape('Onboarding', {
  isDone: Flag('Whether all five steps are done.'),
  wallet: Shape('OnboardingWallet', {
    isDone: Flag('The payout address is proven.'),
    payoutAddress: Nullable(Text()),
    provenBy: Nullable(OneOf(['signature', 'payment'], 'How it is known that money arrives there.')),
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

export interface OnboardingRoutes {
  db: Database;
  network: string;
  publicUrl(): string;
}

export function onboardingRoutes(app: App, { db, network, publicUrl }: OnboardingRoutes): void {
  dashboardRoute(app, {
    method: 'GET',
    path: '/onboarding',
    id: 'getOnboarding',
    summary: 'Get the steps to the first customer',
    description: 'Each is checked by what the service has stored, over all time.',
    success: { status: 200, schema: OnboardingView, description: 'As of now.' },
    errors: [],
    handle: ({ principal }) => readOnboarding(db, principal.merchantId, { network, publicUrl: publicUrl() }),
  });
}
