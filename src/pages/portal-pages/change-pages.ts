import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { isPrepaid, isRunning, type Subscription } from '../../billing/subscriptions/subscription.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import type { PageScope, Redirect } from '../parts/page-route.ts';
import { choosePlan, keepPlan, listChoices, previewChoice } from '../portal/choose-plan.ts';
import { accountPage } from './account-page.ts';
import { refusedNotice, tooOftenNotice } from './done-notice.ts';
import { framed, type Notice } from './frame.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { previewPage } from './preview-page.ts';
import { requireOwnSubscription } from './require-own-subscription.ts';
import type { SubscriptionDetails } from './subscription-details.ts';
import { named, nextPlanName, planName, type Translator, t } from './translator.ts';
import type { VisitCall } from './visit.ts';

const PATH = '/portal/subscriptions/:id/change';
const KEEP = '/portal/subscriptions/:id/keep-plan';

/** Pages to choose a plan, see its cost, and only then change: billed exactly as shown, or not at all. */
export function changePages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const shown = await requireOwnSubscription(parts.db, call);
      const { plan } = call.query;
      return plan === undefined ? choicePage(parts, call, shown) : preview(parts, call, shown, plan);
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: PATH,
    async handle(call) {
      const shown = await requireOwnSubscription(parts.db, call);
      const { plan, preview: previewToken } = call.form;
      if (plan === undefined) throw new AppError('NOT_FOUND');
      // Without what was shown nothing is billed.
      if (previewToken === undefined) return preview(parts, call, shown, plan, { isStale: true });
      return change(parts, call, shown, { priceId: plan, previewToken });
    },
  });

  portalPageRoute(scope, parts, { method: 'POST', path: KEEP, handle: (call) => keep(parts, call) });

  // A refused form leaves the browser at this address; loading it again leads back to the portal.
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: KEEP,
    handle: async ({ translator }) => ({ redirectTo: translator.to('/portal') }),
  });
}

/** Withdraws a change that has not taken effect; submitting twice has one effect, and both see the same result. */
async function keep(parts: PortalPageParts, call: VisitCall): Promise<Page | Redirect> {
  const { subscription } = await requireOwnSubscription(parts.db, call);
  const done = { redirectTo: call.translator.to('/portal', { done: 'keep-plan', of: subscription.id }) };
  if (!presentSubscription(subscription).pendingChange) return done;
  try {
    await keepPlan(parts, call.visitor, subscription.id);
    return done;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    return accountPage(parts, call, { notice: refusedNotice(call), status: error.status });
  }
}

async function change(
  parts: PortalPageParts,
  call: VisitCall,
  shown: SubscriptionDetails,
  wanted: { priceId: string; previewToken: string },
): Promise<Page | Redirect> {
  const { subscription } = shown;
  const done = { redirectTo: call.translator.to('/portal', { done: 'change', of: subscription.id }) };
  try {
    await choosePlan(parts, call.visitor, subscription.id, wanted);
    return done;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (error.code === 'RATE_LIMITED')
      return accountPage(parts, call, { notice: tooOftenNotice(call), status: error.status });
    // Confirmed twice: the first time has done it.
    if (isPlanned((await requireOwnSubscription(parts.db, call)).subscription, wanted.priceId)) return done;
    return preview(parts, call, shown, wanted.priceId, { isStale: true });
  }
}

function isPlanned({ priceId, nextPriceId, pendingChange }: Subscription, wanted: string): boolean {
  return [priceId, nextPriceId, pendingChange?.priceId].includes(wanted.toLowerCase());
}

async function preview(
  parts: PortalPageParts,
  call: VisitCall,
  shown: SubscriptionDetails,
  wanted: string,
  { isStale = false } = {},
): Promise<Page> {
  const { subscription } = shown;
  const choices = await listChoices(parts.db, subscription);
  const next = choices.find(({ id }) => id === wanted.toLowerCase());
  if (!next) throw new AppError('NOT_FOUND');
  try {
    const worked = await previewChoice(parts, call.visitor, subscription.id, next.id);
    return previewPage(call, shown, next, worked, { isStale });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    return choicePage(parts, call, shown, next);
  }
}

/** The plans on offer; if a requested one is not available, also why. */
async function choicePage(
  { db }: PortalPageParts,
  call: VisitCall,
  shown: SubscriptionDetails,
  refused?: CatalogPrice,
): Promise<Page> {
  const { translator } = call;
  const { change: words } = translator.text;
  const { subscription, plan } = shown;
  const obstacle = obstacleOf(translator, shown, refused);
  const choices = obstacle?.tone === 'bad' ? [] : await listChoices(db, subscription);
  choices.sort((one, other) => Number(one.unitAmountCents - other.unitAmountCents));
  return framed(call, {
    title: words.title,
    notice: obstacle,
    ...(refused && { status: 409 }),
    body: html`<section class="portal-section" aria-labelledby="current">
<h2 id="current">${words.current}</h2>
<div class="card choice">${planText(translator, plan, subscription.quantity)}</div>
</section>
${
  obstacle?.tone !== 'bad' &&
  html`<section class="portal-section" aria-labelledby="others">
<h2 id="others">${words.choose}</h2>
${choices.length === 0 && html`<p class="muted">${words.none}</p>`}
${choices.length > 0 && html`<ul class="card rows">${choices.map((choice) => html`<li class="choice">${choiceRow(translator, subscription, choice)}</li>`)}</ul>`}
</section>`
}
<p><a class="button" href="${translator.to('/portal')}">${translator.text.cancel.keep}</a></p>`,
  });
}

/** Bad: no plan is available now. Warn: this one is not, or it replaces something. */
function obstacleOf(
  translator: Translator,
  shown: SubscriptionDetails,
  refused?: CatalogPrice,
): Notice | undefined {
  const { change: words } = translator.text;
  const { subscription, nextPlan } = shown;
  if (subscription.status === 'past_due') return { tone: 'bad', text: t(words.payFirst) };
  if (!isRunning(subscription)) return { tone: 'bad', text: t(words.notNow) };
  if (subscription.cancelAtPeriodEnd) return { tone: 'bad', text: t(words.keepFirst) };
  if (refused) {
    const text = isPrepaid(subscription) ? words.prepaid : words.notNow;
    return { tone: 'warn', text: t(text, { plan: named(planName(refused)) }) };
  }
  if (!subscription.pendingChange || !nextPlan) return undefined;
  return { tone: 'warn', text: t(words.replaces, { plan: named(nextPlanName(shown)) }) };
}

function planText(translator: Translator, plan: CatalogPrice, quantity: number): Html {
  return html`<div class="row-what">
<p><strong class="row-name">${named(planName(plan))}</strong></p>
<p class="muted amount">${translator.rate(plan, quantity)}</p>
</div>`;
}

function choiceRow(translator: Translator, { id, quantity }: Subscription, choice: CatalogPrice): Html {
  const { change: words } = translator.text;
  const path = translator.to(PATH.replace(':id', id), { plan: choice.id });
  return html`${planText(translator, choice, quantity)}
<p class="row-link"><a class="button small" href="${path}">${words.preview}<span class="unseen">: <bdi>${planName(choice)}</bdi></span></a></p>`;
}
