import { amountDueCents, type InvoiceLine } from '../../billing/invoices/invoice.ts';
import { presentTaxes } from '../../billing/invoices/present.ts';
import { taxNotes } from '../../billing/pricing/tax-notes.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { toRange } from '../../platform/http/list.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { describeLine } from '../parts/describe-line.ts';
import type { Page } from '../parts/page.ts';
import type { PageScope } from '../parts/page-route.ts';
import { type OwnInvoice, readOwnInvoice } from '../portal/own-invoices.ts';
import { listOwnRefunds } from '../portal/own-refunds.ts';
import { framed } from './frame.ts';
import { invoiceBadge, PDF_PATH, payButton, payNote } from './invoice-parts.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { refundSection } from './refund-parts.ts';
import { sumRow } from './sum-row.ts';
import { taxRows } from './tax-rows.ts';
import { named, type Translator, t, tPlain } from './translator.ts';
import type { VisitCall } from './visit.ts';

/** More than anybody gets of one invoice; the API lists them all. */
const MAX_REFUNDS = 50;

/** One invoice: what it is for, what has been paid, and the way to pay what is left. */
export function invoicePages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: '/portal/invoices/:id',
    async handle(call) {
      const id = call.params.id!.toLowerCase();
      if (!isUuid(id)) throw new AppError('NOT_FOUND');
      const { db, network } = parts;
      const invoice = await readOwnInvoice(db, call.visitor, id, call.now);
      const refunds = await listOwnRefunds(db, call.visitor, id, toRange({ limit: MAX_REFUNDS }));
      return invoicePage(call, invoice, refundSection(call.translator, refunds, network));
    },
  });
}

function invoicePage(call: VisitCall, invoice: OwnInvoice, refunds: Html | undefined): Page {
  const { translator, now } = call;
  const { text } = translator;
  const number = invoice.number ?? '';
  const badge = invoiceBadge(invoice, now);
  const note = payNote(translator, invoice);
  return framed(call, {
    title: tPlain(text.invoice.title, { number }),
    heading: html`${t(text.invoice.title, { number: named(number) })} <span class="badge ${badge.tone}">${text.invoices[badge.key]}</span>`,
    current: 'invoices',
    body: html`<dl class="card facts">${dates(translator, invoice)}</dl>
<section class="portal-section" aria-labelledby="items">
<h2 id="items">${text.invoice.items}</h2>
<dl class="card sums">
${invoice.lines.map((line) => sumRow(translator, lineText(translator, invoice, line), line.amountCents))}
${invoice.discount && invoice.discountCents > 0n && sumRow(translator, html`${text.invoice.discount} <bdi>${invoice.discount.name}</bdi>`, -invoice.discountCents)}
${taxRows(translator, presentTaxes(invoice.lines), 'exclusive')}
${invoice.creditAppliedCents > 0n && sumRow(translator, html`${text.invoice.credit}`, -invoice.creditAppliedCents)}
${sumRow(translator, html`${text.invoice.total}`, invoice.totalCents)}
${taxRows(translator, presentTaxes(invoice.lines), 'inclusive')}
${invoice.status !== 'paid' && invoice.amountPaidCents > 0n && sumRow(translator, html`${text.invoice.received}`, -invoice.amountPaidCents)}
${invoice.waivedCents > 0n && sumRow(translator, html`${text.invoice.waived}`, -invoice.waivedCents)}
${invoice.refundedCents > 0n && sumRow(translator, html`${text.invoice.refunded}`, -invoice.refundedCents)}
${invoice.checkoutUrl !== null && html`<div class="total"><dt>${text.invoice.missing}</dt><dd class="amount">${translator.usd(amountDueCents(invoice))}</dd></div>`}
</dl>
</section>
${taxNotes(
  invoice.lines.map(({ tax }) => tax),
  translator.language,
).map((line) => html`<p class="muted small">${line}</p>`)}
${invoice.memo !== null && html`<section class="portal-section" aria-labelledby="note"><h2 id="note">${text.invoice.note}</h2><p class="lines" dir="auto">${invoice.memo}</p></section>`}
${refunds}
${note && html`<p>${note}</p>`}
<div class="actions">${payButton(translator, invoice, '')}<a class="button" href="${PDF_PATH(invoice.id, translator)}">${text.invoices.pdf}</a><a class="button" href="${translator.to('/portal/invoices')}">${text.invoices.all}</a></div>`,
  });
}

function dates({ text, day }: Translator, { createdAt, dueAt, paidAt }: OwnInvoice): Html {
  const row = (label: string, date: Date | null) =>
    date && html`<div><dt>${label}</dt><dd>${day(date)}</dd></div>`;
  return html`${row(text.invoice.issued, createdAt)}${row(text.invoice.due, dueAt)}${row(text.invoice.paid, paidAt)}`;
}

function lineText(translator: Translator, invoice: OwnInvoice, line: InvoiceLine): Html {
  const { periodStart, periodEnd } = line;
  const period =
    periodStart &&
    periodEnd &&
    t(translator.text.preview.period, { from: translator.day(periodStart), to: translator.day(periodEnd) });
  const { quantity } = line;
  const count = quantity !== 1n && html`${translator.count(quantity)} × `;
  return html`${count}${describeLine(invoice, line, translator.language)}${period && html` <span class="muted small">${period}</span>`}`;
}
