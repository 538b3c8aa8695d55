import type { Session } from '../checkout-sessions/session.ts';
import type { Queryable } from '../db/database.ts';
import { type Html, html } from '../http/html.ts';
import { type PageQuery, readPage, toRange } from '../http/list.ts';
import { amountDueCents, type Invoice, isOverdue } from '../invoices/invoice.ts';
import { describeLine } from '../pages/describe-line.ts';
import type { PageScope } from '../pages/page-route.ts';
import { listOwnInvoices } from '../portal/own-invoices.ts';
import type { Visitor } from '../portal/portal-session.ts';
import { framed } from './frame.ts';
import { paging } from './paging.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { findSessionOf } from './shown-subscription.ts';
import { ownAddress } from './subscription-cards.ts';
import { say, type Voice } from './voice.ts';

const PATH = '/portal/invoices';

export function invoicesPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { voice, visitor, now } = call;
      const { cursor } = call.query;
      const { data, nextCursor } = await readInvoices(
        parts.db,
        visitor,
        cursor === undefined ? {} : { cursor },
      );
      return framed(call, {
        title: voice.text.invoices.title,
        current: 'invoices',
        body: html`${invoiceList(voice, data, now)}${paging(voice, PATH, {}, { cursor, nextCursor })}`,
      });
    },
  });
}

export interface ShownInvoice {
  invoice: Invoice;
  /** Where it is paid, while it can be. */
  session: Session | undefined;
}

export async function readInvoices(db: Queryable, visitor: Visitor, query: PageQuery) {
  const page = await readPage(toRange(query), (range) => listOwnInvoices(db, visitor, undefined, range));
  const data = page.data.map(async (invoice): Promise<ShownInvoice> => {
    const session = invoice.status === 'open' ? await findSessionOf(db, invoice) : undefined;
    return { invoice, session: session?.status === 'open' ? session : undefined };
  });
  return { data: await Promise.all(data), nextCursor: page.nextCursor };
}

export function invoiceList(voice: Voice, invoices: readonly ShownInvoice[], now: Date): Html {
  if (invoices.length === 0) return html`<p class="muted">${voice.text.invoices.none}</p>`;
  return html`<ul class="card rows">${invoices.map((shown) => html`<li>${invoiceRow(voice, shown, now)}</li>`)}</ul>`;
}

function invoiceRow(voice: Voice, { invoice, session }: ShownInvoice, now: Date): Html {
  const { text, day, usd } = voice;
  const { number, lines, creditAppliedCents, createdAt } = invoice;
  const badge = session?.paymentStatus === 'processing' ? ON_ITS_WAY : badgeOf(invoice, now);
  const rest = session?.paymentStatus === 'underpaid' && { session, missing: usd(amountDueCents(invoice)) };
  // A change of plan begins with what is given back; what is bought says more.
  const line = lines.find(({ amountCents }) => amountCents > 0n) ?? lines[0];
  return html`<div class="row-what">
<p><strong class="row-name"><bdi>${number}</bdi></strong> <span class="badge ${badge.tone}">${text.invoices[badge.key]}</span></p>
<p class="muted small">${line && describeLine(invoice, line, voice.language)}</p>
<p class="muted small">${day(createdAt)}${invoice.status === 'open' && invoice.dueAt && html` · ${say(text.invoices.due, { day: day(invoice.dueAt) })}`}${creditAppliedCents > 0n && html` · ${say(text.invoices.paidBy, { amount: usd(creditAppliedCents) })}`}</p>
${rest && html`<p class="small">${say(text.invoices.missing, { amount: rest.missing })} <a href="${ownAddress(voice, rest.session.checkoutUrl)}">${text.invoices.payRest}<span class="unseen"> <bdi>${number}</bdi></span></a></p>`}
</div>
<p class="row-amount amount">${usd(invoice.subtotalCents)}</p>
<p class="row-link"><a class="button small" href="/api/portal/invoices/${invoice.id}/pdf">${text.invoices.pdf}<span class="unseen"> <bdi>${number}</bdi></span></a></p>`;
}

const ON_ITS_WAY = { tone: 'warn', key: 'onItsWay' } as const;

function badgeOf(invoice: Invoice, now: Date) {
  switch (invoice.status) {
    case 'paid':
      return { tone: 'good', key: 'paid' } as const;
    case 'open':
      return isOverdue(invoice, now)
        ? ({ tone: 'bad', key: 'overdue' } as const)
        : ({ tone: 'warn', key: 'open' } as const);
    default:
      return { tone: '', key: invoice.status } as const;
  }
}
