import { isPrepaid, isRunning, type Subscription } from '../../billing/subscriptions/subscription.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { badgeOf, describeAsked, describeState, isOver } from './describe-subscription.ts';
import { form } from './frame.ts';
import { type Asked, isOnItsWay, type SubscriptionDetails } from './subscription-details.ts';
import { named, nextPlanName, planName, type Translator, t } from './translator.ts';
import type { VisitCall } from './visit.ts';

/** First what needs attention, then every subscription; ended ones are collapsed. */
export function subscriptionSections(call: VisitCall, shown: readonly SubscriptionDetails[]): Html {
  const { text } = call.translator;
  const running = shown.filter(({ subscription }) => !isOver(subscription));
  const over = shown.filter(({ subscription }) => isOver(subscription));
  return html`${attention(call.translator, shown)}
<section class="portal-section" aria-labelledby="subscriptions">
<h2 id="subscriptions">${text.subscriptions.title}</h2>
${running.map((each) => card(call, each))}
${running.length === 0 && html`<p class="muted">${text.subscriptions.none}</p>`}
${over.length > 0 && html`<details id="ended"${running.length === 0 && html` open`}><summary>${text.subscriptions.ended}</summary>${over.map((each) => card(call, each))}</details>`}
</section>`;
}

function attention(translator: Translator, shown: readonly SubscriptionDetails[]): Html | undefined {
  const { title, onItsWay, noDebit } = translator.text.attention;
  const waiting = shown.flatMap((each) => each.asked.map((asked) => ({ each, asked })));
  if (waiting.length === 0) return undefined;
  // Overdue payments come first: they end soonest.
  waiting.sort((one, other) => Number(other.asked.kind === 'overdue') - Number(one.asked.kind === 'overdue'));
  const isPaid = waiting.every(({ asked }) => isOnItsWay(asked));
  return html`<section class="portal-section card attention" aria-labelledby="attention">
<h2 id="attention">${isPaid ? onItsWay : title}</h2>
<ul>${waiting.map(({ each, asked }) => html`<li>${ask(translator, each, asked)}</li>`)}</ul>
${!isPaid && html`<p class="muted small">${noDebit}</p>`}
</section>`;
}

function ask(translator: Translator, shown: SubscriptionDetails, asked: Asked): Html {
  const { text } = translator;
  const plan = named(asked.kind === 'change' ? nextPlanName(shown) : planName(shown.plan));
  return html`<div class="ask">
<h3>${t(text.attention[asked.kind], { plan })}</h3>
<p>${describeAsked(translator, shown, asked)}</p>
</div>
<a class="button${asked.isPayable && html` primary`}" href="${ownAddress(translator, asked.payUrl)}">${t(text.attention[asked.isPayable ? PAY_LABELS[asked.payment] : 'see'], { amount: translator.usd(asked.amountCents) })}${about(shown)}</a>`;
}

const PAY_LABELS = { unpaid: 'pay', underpaid: 'payRest', processing: 'see', paid: 'see' } as const;

/** Checkout pages are ours, whatever name we are reached by just now. */
export function ownAddress({ to }: Translator, url: string): string {
  return to(new URL(url).pathname);
}

function card(call: VisitCall, shown: SubscriptionDetails): Html {
  const { translator } = call;
  const { subscription, plan } = shown;
  const badge = badgeOf(shown);
  const { productDescription } = plan;
  return html`<article class="card subscription" aria-labelledby="s-${subscription.id}">
<div class="subscription-head">
<h3 id="s-${subscription.id}">${named(planName(plan))}</h3>
<span class="badge ${badge.tone}">${translator.text.badges[badge.key]}</span>
</div>
<p class="subscription-rate amount">${translator.rate(plan, subscription.quantity)}</p>
${productDescription && !isOver(subscription) && html`<p class="muted small lines">${named(productDescription)}</p>`}
${describeState(translator, shown)}
${actions(call, shown)}
</article>`;
}

/** Only the actions that are possible now. */
function actions({ translator, visit }: VisitCall, shown: SubscriptionDetails): Html | undefined {
  const { text, to } = translator;
  const { subscription, asked } = shown;
  if (isOver(subscription)) return undefined;
  const path = `/portal/subscriptions/${subscription.id}`;
  const action = (name: string, label: string, look = '') =>
    html`<a class="button small${look && ` ${look}`}" href="${to(`${path}/${name}`)}">${label}${about(shown)}</a>`;
  const keepPlan =
    canKeepPlan(subscription, asked) &&
    form(
      translator,
      visit,
      `${path}/keep-plan`,
      html`<button class="small">${text.subscriptions.keepPlan}${about(shown)}</button>`,
    );
  if (subscription.cancelAtPeriodEnd) {
    const keep = html`<button class="small primary">${text.subscriptions.keep}${about(shown)}</button>`;
    return html`<div class="actions">${form(translator, visit, `${path}/keep`, keep)}${keepPlan}</div>`;
  }
  return html`<div class="actions">
${isRunning(subscription) && action('change', text.subscriptions.changePlan)}
${keepPlan}
${canPayAhead(subscription, asked) && action('renew', text.subscriptions.payAhead)}
${action('cancel', text.subscriptions.cancel, 'quiet')}
</div>`;
}

export function canPayAhead(subscription: Subscription, asked: readonly Asked[]): boolean {
  const { cancelAtPeriodEnd } = subscription;
  return isRunning(subscription) && asked.length === 0 && !cancelAtPeriodEnd && !isPrepaid(subscription);
}

/** There is a pending change that nothing has been paid for yet. */
function canKeepPlan(subscription: Subscription, asked: readonly Asked[]): boolean {
  const { nextPriceId, pendingChange, cancelAtPeriodEnd } = subscription;
  if (asked.some((each) => each.kind === 'change' && isOnItsWay(each))) return false;
  return pendingChange !== null || (isRunning(subscription) && nextPriceId !== null && !cancelAtPeriodEnd);
}

/** Several buttons have the same label; screen readers also hear which plan each is for. */
function about({ plan }: SubscriptionDetails): Html {
  return html`<span class="unseen">: <bdi>${planName(plan)}</bdi></span>`;
}
