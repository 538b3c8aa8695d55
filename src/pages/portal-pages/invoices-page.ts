import type { Queryable } from '../../platform/db/database.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { type PageQuery, readPage, toRange } from '../../platform/http/list.ts';
import { describeLine } from '../parts/describe-line.ts';
import type { PageScope } from '../parts/page-route.ts';
import { listOwnInvoices, type OwnInvoice } from '../portal/own-invoices.ts';
import type { Visitor } from '../portal/portal-session.ts';
import { framed } from './frame.ts';
import { invoiceBadge, missingOf, PDF_PATH, payButton, payNote } from './invoice-parts.ts';
import { paging } from './paging.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { type Translator, t } from './translator.ts';

const PATH = '/portal/invoices';

export function invoicesPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { translator, visitor, now } = call;
      const { cursor } = call.query;
      const query = cursor === undefined ? {} : { cursor };
      const { data, nextCursor } = await readInvoices(parts.db, visitor, query, now);
      return framed(call, {
        title: translator.text.invoices.title,
        current: 'invoices',
        body: html`${invoiceList(translator, data, now)}${paging(translator, PATH, {}, { cursor, nextCursor })}`,
      });
    },
  });
}

export function readInvoices(db: Queryable, visitor: Visitor, query: PageQuery, now: Date) {
  return readPage(toRange(query), (range) => listOwnInvoices(db, visitor, undefined, range, now));
}

export function invoiceList(translator: Translator, invoices: readonly OwnInvoice[], now: Date): Html {
  if (invoices.length === 0) return html`<p class="muted">${translator.text.invoices.none}</p>`;
  return html`<ul class="card rows">${invoices.map((invoice) => html`<li>${invoiceRow(translator, invoice, now)}</li>`)}</ul>`;
}

function invoiceRow(translator: Translator, invoice: OwnInvoice, now: Date): Html {
  const { text, day, usd, to } = translator;
  const { id, number, lines, creditAppliedCents, createdAt } = invoice;
  const badge = invoiceBadge(invoice, now);
  const missing = missingOf(invoice);
  // A change of plan begins with what is given back; what is bought says more.
  const line = lines.find(({ amountCents }) => amountCents > 0n) ?? lines[0];
  const note = payNote(translator, invoice);
  return html`<div class="row-what">
<p><a class="row-name" href="${to(`${PATH}/${id}`)}"><bdi>${number}</bdi></a> <span class="badge ${badge.tone}">${text.invoices[badge.key]}</span></p>
<p class="muted small">${line && describeLine(invoice, line, translator.language)}</p>
<p class="muted small">${day(createdAt)}${invoice.status === 'open' && invoice.dueAt && html` · ${t(text.invoices.due, { day: day(invoice.dueAt) })}`}${creditAppliedCents > 0n && html` · ${t(text.invoices.paidBy, { amount: usd(creditAppliedCents) })}`}</p>
${missing !== undefined && html`<p class="small">${t(text.invoices.missing, { amount: usd(missing) })}</p>`}
${invoice.refundedCents > 0n && html`<p class="small">${t(text.invoices.refunded, { amount: usd(invoice.refundedCents) })}</p>`}
${note && html`<p class="small">${note}</p>`}
</div>
<p class="row-amount amount">${usd(invoice.subtotalCents)}</p>
<p class="row-link">${payButton(translator, invoice, 'small')}<a class="button small" href="${PDF_PATH(id, translator)}">${text.invoices.pdf}<span class="unseen"> <bdi>${number}</bdi></span></a></p>`;
}
