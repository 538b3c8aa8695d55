import { nextPeriod, recurrenceOf } from '../../billing/subscriptions/subscription.ts';
import { html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import type { PageScope } from '../parts/page-route.ts';
import { renewAhead } from '../portal/renew-ahead.ts';
import { form, framed } from './frame.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { requireOwnSubscription } from './require-own-subscription.ts';
import { canPayAhead, ownAddress } from './subscription-cards.ts';
import { nextPlanOf, type SubscriptionDetails } from './subscription-details.ts';
import { sumRow } from './sum-row.ts';
import { named, planName, t, tPlain } from './translator.ts';
import type { VisitCall } from './visit.ts';

const PATH = '/portal/subscriptions/:id/renew';

/** Paying the next period before it is due. Account credit is used immediately, so the page says so first. */
export function renewPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const shown = await requireOwnSubscription(parts.db, call);
      const open = shown.asked.find(({ kind }) => kind !== 'begin' && kind !== 'change');
      if (open) return { redirectTo: ownAddress(call.translator, open.payUrl) };
      return canPayAhead(shown.subscription, shown.asked)
        ? aheadPage(call, shown)
        : notNowPage(call, shown, 200);
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: PATH,
    async handle(call) {
      const { translator, visitor } = call;
      const shown = await requireOwnSubscription(parts.db, call);
      try {
        const { id, renewalCheckoutUrl } = await renewAhead(parts, visitor, shown.subscription.id);
        if (renewalCheckoutUrl) return { redirectTo: ownAddress(translator, renewalCheckoutUrl) };
        return { redirectTo: translator.to('/portal', { done: 'renew', of: id }) };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
        return notNowPage(call, shown, error.status);
      }
    },
  });
}

function aheadPage(call: VisitCall, shown: SubscriptionDetails): Page {
  const { translator, visit } = call;
  const { renew: words } = translator.text;
  const { subscription, plan } = shown;
  const { price: next } = nextPlanOf(shown);
  const { start, end } = nextPeriod(subscription, recurrenceOf(plan), recurrenceOf(next));
  const { accountCreditCents } = visit.customer;
  const price = shown.nextCents;
  const creditCents = accountCreditCents < price ? accountCreditCents : price;
  const due = price - creditCents;
  return framed(call, {
    title: tPlain(words.title, { plan: planName(next) }),
    heading: t(words.title, { plan: named(planName(next)) }),
    body: html`<p>${t(words.text, { from: translator.day(start), to: translator.day(end) })}</p>
<dl class="card sums">
${sumRow(translator, html`${words.price}`, price)}
${creditCents > 0n && sumRow(translator, html`${words.accountCredit}`, -creditCents)}
<div class="total"><dt>${words.due}</dt><dd class="amount">${translator.usd(due)}</dd></div>
</dl>
<p>${due > 0n ? words.wallet : words.creditOnly}</p>
${form(
  translator,
  visit,
  PATH.replace(':id', subscription.id),
  html`<div class="actions"><button class="primary">${due > 0n ? words.confirm : words.confirmCredit}</button><a class="button" href="${translator.to('/portal')}">${words.back}</a></div>`,
)}`,
  });
}

function notNowPage(call: VisitCall, { plan }: SubscriptionDetails, status: number): Page {
  const { translator } = call;
  const { renew: words } = translator.text;
  return framed(call, {
    title: tPlain(words.title, { plan: planName(plan) }),
    heading: t(words.title, { plan: named(planName(plan)) }),
    status,
    body: html`<p>${words.notNow}</p>
<p><a class="button" href="${translator.to('/portal')}">${words.back}</a></p>`,
  });
}
