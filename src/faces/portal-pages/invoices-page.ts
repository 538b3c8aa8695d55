import type { Queryable } from '../../platform/db/database.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { type PageQuery, readPage, toRange } from '../../platform/http/list.ts';
import { describeLine } from '../pages/describe-line.ts';
import type { PageScope } from '../pages/page-route.ts';
import { listOwnInvoices, type OwnInvoice } from '../portal/own-invoices.ts';
import type { Visitor } from '../portal/portal-session.ts';
import { framed } from './frame.ts';
import { invoiceBadge, missingOf, PDF_PATH, payButton, payNote } from './invoice-parts.ts';
import { paging } from './paging.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { say, type Translator } from './translator.ts';

const PATH = '/portal/invoices';

export function invoicesPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { voice, visitor, now } = call;
      const { cursor } = call.query;
      const query = cursor === undefined ? {} : { cursor };
      const { data, nextCursor } = await readInvoices(parts.db, visitor, query, now);
      return framed(call, {
        title: voice.text.invoices.title,
        current: 'invoices',
        body: html`${invoiceList(voice, data, now)}${paging(voice, PATH, {}, { cursor, nextCursor })}`,
      });
    },
  });
}

export function readInvoices(db: Queryable, visitor: Visitor, query: PageQuery, now: Date) {
  return readPage(toRange(query), (range) => listOwnInvoices(db, visitor, undefined, range, now));
}

export function invoiceList(voice: Translator, invoices: readonly OwnInvoice[], now: Date): Html {
  if (invoices.length === 0) return html`<p class="muted">${voice.text.invoices.none}</p>`;
  return html`<ul class="card rows">${invoices.map((invoice) => html`<li>${invoiceRow(voice, invoice, now)}</li>`)}</ul>`;
}

function invoiceRow(voice: Translator, invoice: OwnInvoice, now: Date): Html {
  const { text, day, usd, to } = voice;
  const { id, number, lines, creditAppliedCents, createdAt } = invoice;
  const badge = invoiceBadge(invoice, now);
  const missing = missingOf(invoice);
  // A change of plan begins with what is given back; what is bought says more.
  const line = lines.find(({ amountCents }) => amountCents > 0n) ?? lines[0];
  const note = payNote(voice, invoice);
  return html`<div class="row-what">
<p><a class="row-name" href="${to(`${PATH}/${id}`)}"><bdi>${number}</bdi></a> <span class="badge ${badge.tone}">${text.invoices[badge.key]}</span></p>
<p class="muted small">${line && describeLine(invoice, line, voice.language)}</p>
<p class="muted small">${day(createdAt)}${invoice.status === 'open' && invoice.dueAt && html` · ${say(text.invoices.due, { day: day(invoice.dueAt) })}`}${creditAppliedCents > 0n && html` · ${say(text.invoices.paidBy, { amount: usd(creditAppliedCents) })}`}</p>
${missing !== undefined && html`<p class="small">${say(text.invoices.missing, { amount: usd(missing) })}</p>`}
${note && html`<p class="small">${note}</p>`}
</div>
<p class="row-amount amount">${usd(invoice.subtotalCents)}</p>
<p class="row-link">${payButton(voice, invoice, 'small')}<a class="button small" href="${PDF_PATH(id)}">${text.invoices.pdf}<span class="unseen"> <bdi>${number}</bdi></span></a></p>`;
}
