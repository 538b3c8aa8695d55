import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Page } from '../parts/page.ts';
import type { previewChoice } from '../portal/choose-plan.ts';
import { form, framed } from './frame.ts';
import type { SubscriptionDetails } from './subscription-details.ts';
import { sumRow } from './sum-row.ts';
import { taxRows } from './tax-rows.ts';
import { named, planName, type Translator, t, tPlain } from './translator.ts';
import type { VisitCall } from './visit.ts';

type Preview = Awaited<ReturnType<typeof previewChoice>>;

/** A change of plan to the cent, before it is made. */
export function previewPage(
  call: VisitCall,
  shown: SubscriptionDetails,
  next: CatalogPrice,
  preview: Preview,
  { isStale }: { isStale: boolean },
): Page {
  const { translator, visit } = call;
  const { preview: words } = translator.text;
  const path = `/portal/subscriptions/${shown.subscription.id}/change`;
  const parts = { plan: named(planName(next)) };
  return framed(call, {
    title: tPlain(words.title, { plan: planName(next) }),
    heading: t(words.title, parts),
    ...(isStale && { notice: { tone: 'warn' as const, text: t(words.stale) }, status: 409 }),
    body: html`<dl class="card facts">
<div><dt>${words.from}</dt><dd>${planAndRate(translator, shown.plan, preview.currentQuantity)}</dd></div>
<div><dt>${words.to}</dt><dd>${planAndRate(translator, next, preview.newQuantity)}</dd></div>
<div><dt>${words.effective}</dt><dd>${effect(translator, preview)}</dd></div>
<div><dt>${words.nextInvoice}</dt><dd>${t(words.nextInvoiceText, { amount: translator.usd(preview.nextInvoice.amountCents), day: translator.day(preview.nextInvoice.date) })}</dd></div>
</dl>
<section class="portal-section" aria-labelledby="cost">
<h2 id="cost">${words.cost}</h2>
${costs(translator, shown.plan, next, preview)}
<p>${consequence(translator, shown.plan, preview)}</p>
</section>
${form(
  translator,
  visit,
  path,
  html`<input type="hidden" name="plan" value="${next.id}">
<input type="hidden" name="preview" value="${preview.previewToken}">
<div class="actions"><button class="primary">${words.confirm}</button><a class="button" href="${translator.to(path)}">${words.back}</a></div>`,
  { plan: next.id },
)}
<p class="muted small">${t(words.validUntil, { moment: translator.moment(preview.expiresAt) })}</p>`,
  });
}

function planAndRate(translator: Translator, plan: CatalogPrice, quantity: number): Html {
  return html`${named(planName(plan))}<br><span class="muted amount">${translator.rate(plan, quantity)}</span>`;
}

function effect(
  { text, day }: Translator,
  { amountDueCents, prorationBehavior, effectiveAt }: Preview,
): Html {
  const { effectiveOnPayment, effectiveNow, effectiveOn } = text.preview;
  if (amountDueCents > 0n) return t(effectiveOnPayment);
  if (prorationBehavior !== 'next_period') return t(effectiveNow);
  return t(effectiveOn, { day: day(effectiveAt) });
}

function costs(translator: Translator, plan: CatalogPrice, next: CatalogPrice, preview: Preview): Html {
  const { preview: words } = translator.text;
  const { lines, taxes, accountCreditAppliedCents, amountDueCents, accountCreditCents } = preview;
  return html`<dl class="card sums">
${lines.map((line) => sumRow(translator, lineText(translator, line, plan, next, preview), line.amountCents))}
${taxRows(translator, taxes, 'exclusive')}
${accountCreditAppliedCents > 0n && sumRow(translator, html`${words.accountCredit}`, -accountCreditAppliedCents)}
<div class="total"><dt>${words.dueNow}</dt><dd class="amount">${translator.usd(amountDueCents)}</dd></div>
${taxRows(translator, taxes, 'inclusive')}
</dl>
${accountCreditCents > 0n && html`<p>${t(words.surplus, { amount: translator.usd(accountCreditCents) })}</p>`}`;
}

function lineText(
  translator: Translator,
  line: Preview['lines'][number],
  plan: CatalogPrice,
  next: CatalogPrice,
  preview: Preview,
) {
  const { preview: words } = translator.text;
  const period = t(words.period, {
    from: translator.day(line.periodStart!),
    to: translator.day(line.periodEnd!),
  });
  const what =
    line.amountCents <= 0n && line.priceId === plan.id
      ? t(words.unused, { plan: named(planName(plan)) })
      : preview.prorationBehavior === 'charge_now'
        ? t(words.remaining, { plan: named(planName(next)) })
        : named(planName(next));
  return html`${what}<br><span class="muted small">${period}</span>`;
}

/** Says what confirming does to the customer's money. */
function consequence({ text, usd }: Translator, plan: CatalogPrice, preview: Preview): Html {
  const { preview: words } = text;
  const { amountDueCents, accountCreditAppliedCents } = preview;
  if (amountDueCents > 0n) {
    return t(words.thenPay, { amount: usd(amountDueCents), plan: named(planName(plan)) });
  }
  return t(accountCreditAppliedCents > 0n ? words.paidByCredit : words.nothingDue);
}
