import { creditNoteNumber } from '../../payments/refunds/credit-note.ts';
import type { Refund } from '../../payments/refunds/refund.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { transactionLink } from '../parts/transaction-link.ts';
import type { PortalPageParts } from './portal-page-route.ts';
import { named, type Translator, t } from './translator.ts';

/** Section of an invoice's refunds, sent or promised: their state, transaction and credit note. */
export function refundSection(
  translator: Translator,
  refunds: readonly Refund[],
  network: PortalPageParts['network'],
): Html | undefined {
  if (refunds.length === 0) return undefined;
  return html`<section class="portal-section" aria-labelledby="refunds">
<h2 id="refunds">${translator.text.refunds.title}</h2>
<ul class="card rows">${refunds.map((refund) => html`<li>${refundRow(translator, refund, network)}</li>`)}</ul>
</section>`;
}

function refundRow(translator: Translator, refund: Refund, network: PortalPageParts['network']): Html {
  const text = translator.text.refunds;
  const { status, txSignature, creditNoteId, creditNoteNumber: number } = refund;
  const day = translator.day(refund.succeededAt ?? refund.createdAt);
  return html`<div class="row-what">
<p>${t(text[status], { amount: translator.usd(refund.amountCents), day })}</p>
${txSignature !== null && html`<p class="muted small">${text.transaction} ${transactionLink(txSignature, network)}</p>`}
</div>
${
  creditNoteId !== null &&
  html`<p class="row-link"><a class="button small" href="/api/portal/credit-notes/${creditNoteId}/pdf?language=${translator.language}">${t(text.creditNote, { number: named(creditNoteNumber(number!)) })}</a></p>`
}`;
}
