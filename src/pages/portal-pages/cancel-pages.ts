import { accessUntil, isPrepaid } from '../../billing/subscriptions/subscription.ts';
import { type HtmlPart, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import type { PageScope } from '../parts/page-route.ts';
import { endAtPeriodEnd, keepSubscription } from '../portal/end-subscription.ts';
import { accountPage } from './account-page.ts';
import { describeAsked, isOver } from './describe-subscription.ts';
import { refusedNotice } from './done-notice.ts';
import { form, framed } from './frame.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { requireOwnSubscription } from './require-own-subscription.ts';
import type { SubscriptionDetails } from './subscription-details.ts';
import { named, planName, t, tPlain } from './translator.ts';
import type { VisitCall } from './visit.ts';

const CANCEL = '/portal/subscriptions/:id/cancel';
const KEEP = '/portal/subscriptions/:id/keep';

/** The end of a subscription, planned with open eyes, and taken back. */
export function cancelPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: CANCEL,
    handle: async (call) => confirmPage(call, await requireOwnSubscription(parts.db, call)),
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: CANCEL,
    async handle(call) {
      const { subscription } = await requireOwnSubscription(parts.db, call);
      // Submitting twice has one effect, and both submissions see the same result.
      if (!isOver(subscription) && !subscription.cancelAtPeriodEnd) {
        await endAtPeriodEnd(parts, call.visitor, subscription.id).catch(unlessAlreadyDone);
      }
      return { redirectTo: call.translator.to('/portal', { done: 'cancel', of: subscription.id }) };
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: KEEP,
    async handle(call) {
      const { subscription } = await requireOwnSubscription(parts.db, call);
      try {
        await keepSubscription(parts, call.visitor, subscription.id);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
        return accountPage(parts, call, { notice: refusedNotice(call), status: error.status });
      }
      return { redirectTo: call.translator.to('/portal', { done: 'keep', of: subscription.id }) };
    },
  });

  // A refused form leaves the browser at this address; loading it again leads back to the portal.
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: KEEP,
    handle: async ({ translator }) => ({ redirectTo: translator.to('/portal') }),
  });
}

function unlessAlreadyDone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
}

function confirmPage(call: VisitCall, shown: SubscriptionDetails): Page {
  const { translator, visit } = call;
  const { cancel: words } = translator.text;
  const { subscription, plan } = shown;
  const back = html`<a class="button" href="${translator.to('/portal')}">${words.keep}</a>`;
  const isPossible = !isOver(subscription) && !subscription.cancelAtPeriodEnd;
  const button = html`<div class="actions"><button class="danger">${words.confirm}</button>${back}</div>`;
  return framed(call, {
    title: tPlain(words.title, { plan: planName(plan) }),
    heading: t(words.title, { plan: named(planName(plan)) }),
    body: isPossible
      ? html`<ul class="card consequences">${consequences(call, shown).map((each) => html`<li>${each}</li>`)}</ul>
${form(translator, visit, CANCEL.replace(':id', subscription.id), button)}`
      : html`<p>${words.already}</p><p>${back}</p>`,
  });
}

/** Exactly what happens, and when. */
function consequences({ translator }: VisitCall, shown: SubscriptionDetails): HtmlPart[] {
  const { subscription, asked } = shown;
  const { cancel: words } = translator.text;
  const withdrawn = asked.length > 0 ? [words.withdrawn] : [];
  switch (subscription.status) {
    case 'trialing':
    case 'active': {
      const moment = html`<strong>${translator.moment(accessUntil(subscription)!)}</strong>`;
      const open = asked.map((each) =>
        each.kind === 'change' ? describeAsked(translator, shown, each) : words.withdrawn,
      );
      // Nothing was paid in a trial, unless the first period is paid ahead.
      const isFree = subscription.status === 'trialing' && !isPrepaid(subscription);
      const paid = isFree ? [] : [words.noRefund];
      return [t(words.atEnd, { moment }), words.accessUntil, ...paid, ...open, words.undo];
    }
    case 'past_due':
      return [words.now, words.accessEnds, ...withdrawn, words.onItsWay, words.final];
    default:
      return [words.nothingPaid, words.onItsWay, words.final];
  }
}
