import { PreviewView } from '../../billing/renewals/present.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import { answerList, Page, pageQuery, type Range } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { choosePlan, keepPlan, listChoices, type PlanDesk, previewChoice } from './choose-plan.ts';
import { endAtPeriodEnd, keepSubscription } from './end-subscription.ts';
import { findOwnSubscription, listOwnSubscriptions, withPlans } from './own-subscriptions.ts';
import { type PortalAccess, portalRoute } from './portal-route.ts';
import { PlansView, PortalSubscriptionView, presentPlan, presentPlanned } from './present.ts';
import { renewAhead } from './renew-ahead.ts';

const PreviewBody = Shape('PreviewPortalChangeRequest', { priceId: Uuid('One of the plans on offer.') });

const ChangeBody = Shape('PortalChangeRequest', {
  priceId: Uuid('One of the plans on offer.'),
  previewToken: Optional(
    Text({ max: 2048, description: 'Bills exactly what the preview showed, or nothing.' }),
  ),
});

const RenewalView = Shape('PortalRenewal', {
  checkoutUrl: Nullable(
    Text({ max: 2048, description: 'Where to pay; null: account credit paid all of it.' }),
  ),
  subscription: PortalSubscriptionView,
});

export interface SubscriptionRoutes extends PortalAccess, PlanDesk {}

export function portalSubscriptionRoutes(app: App, parts: SubscriptionRoutes): void {
  const { db, clock } = parts;
  const present = async (subscription: Subscription) =>
    presentPlanned(await withPlans(db, subscription), clock.now());
  const asItIsNow = {
    status: 200,
    schema: PortalSubscriptionView,
    description: 'The subscription as it is now.',
  };

  portalRoute(app, parts, {
    method: 'GET',
    path: '/subscriptions',
    id: 'listPortalSubscriptions',
    sdk: 'portal.listSubscriptions',
    summary: 'List your subscriptions',
    query: Shape(undefined, pageQuery),
    csv: true,
    success: {
      status: 200,
      schema: Page('PortalSubscriptionPage', PortalSubscriptionView),
      description: 'Newest first, each with its plan.',
    },
    errors: [],
    handle(call) {
      const read = (range: Range) => listOwnSubscriptions(db, call.visitor, range);
      const now = clock.now();
      return answerList(call, PortalSubscriptionView, read, (each) => presentPlanned(each, now));
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/subscriptions/{subscriptionId}',
    id: 'getPortalSubscription',
    sdk: 'portal.retrieveSubscription',
    summary: 'Get one of your subscriptions',
    success: asItIsNow,
    errors: ['NOT_FOUND'],
    async handle({ visitor, params }) {
      return present(await findOwnSubscription(db, visitor, params.subscriptionId!));
    },
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/renew',
    id: 'renewPortalSubscription',
    sdk: 'portal.renewSubscription',
    summary: 'Pay for the next period',
    description: 'Pays the open renewal, or opens it early. Never more than one period ahead.',
    success: { status: 200, schema: RenewalView, description: 'Where to pay.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ visitor, params }) {
      const subscription = await renewAhead(parts, visitor, params.subscriptionId!.toLowerCase());
      return { checkoutUrl: subscription.renewalCheckoutUrl, subscription: await present(subscription) };
    },
  });

  portalRoute(app, parts, {
    method: 'GET',
    path: '/subscriptions/{subscriptionId}/plans',
    id: 'listPortalPlans',
    sdk: 'portal.listPlans',
    summary: 'List the plans to change to',
    success: { status: 200, schema: PlansView, description: 'The other active plans of the same product.' },
    errors: ['NOT_FOUND'],
    async handle({ visitor, params }) {
      const choices = await listChoices(db, await findOwnSubscription(db, visitor, params.subscriptionId!));
      return { data: choices.map(presentPlan) };
    },
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/preview-change',
    id: 'previewPortalChange',
    sdk: 'portal.previewChange',
    repeatable: true,
    summary: 'Preview a plan change',
    description:
      'As of now: a more expensive plan is charged for the rest of the period, a cheaper one applies from the next, one with another interval starts a new period.',
    body: PreviewBody,
    success: { status: 200, schema: PreviewView, description: 'What it would cost, to the cent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle: ({ visitor, params, body }) =>
      previewChoice(parts, visitor, params.subscriptionId!.toLowerCase(), body.priceId),
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/change-plan',
    id: 'changePortalPlan',
    sdk: 'portal.changePlan',
    summary: 'Change the plan',
    description:
      'If the change costs something, it stays a `pendingChange` until it is paid at its `checkoutUrl`.',
    body: ChangeBody,
    success: asItIsNow,
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'PREVIEW_STALE'],
    async handle({ visitor, params, body }) {
      return present(await choosePlan(parts, visitor, params.subscriptionId!.toLowerCase(), body));
    },
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/withdraw-change',
    id: 'withdrawPortalChange',
    sdk: 'portal.withdrawChange',
    summary: 'Withdraw a plan change',
    description:
      'For a change that is planned or waiting for payment: its invoice is void, and the plan stays as it is.',
    success: asItIsNow,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ visitor, params }) {
      return present(await keepPlan(parts, visitor, params.subscriptionId!.toLowerCase()));
    },
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/cancel',
    id: 'cancelPortalSubscription',
    sdk: 'portal.cancelSubscription',
    summary: 'Cancel at the end of the paid period',
    description:
      'A subscription whose renewal is overdue, or whose first payment was never made, ends immediately.',
    success: asItIsNow,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ visitor, params }) {
      return present(await endAtPeriodEnd(parts, visitor, params.subscriptionId!.toLowerCase()));
    },
  });

  portalRoute(app, parts, {
    method: 'POST',
    path: '/subscriptions/{subscriptionId}/resume',
    id: 'resumePortalSubscription',
    sdk: 'portal.resumeSubscription',
    summary: 'Undo a cancellation',
    success: asItIsNow,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ visitor, params }) {
      return present(await keepSubscription(parts, visitor, params.subscriptionId!.toLowerCase()));
    },
  });
}
