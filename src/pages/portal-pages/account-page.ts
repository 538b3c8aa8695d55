import { readSums } from '../../billing/usage/answer-sums.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { PageScope } from '../parts/page-route.ts';
import { balanceTiles } from './balance-page.ts';
import { detailsSection } from './details-page.ts';
import { doneNotice } from './done-notice.ts';
import { framed, type Notice } from './frame.ts';
import { invoiceList, readInvoices } from './invoices-page.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { subscriptionSections } from './subscription-cards.ts';
import { readSubscriptions } from './subscription-details.ts';
import { usageList } from './usage-page.ts';
import type { VisitCall } from './visit.ts';

const FEW = 5;

/** Everything at a glance, with what needs the customer's attention first. */
export function accountPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: '/portal',
    handle: (call) => accountPage(parts, call),
  });

  portalPageRoute(scope, parts, {
    method: 'GET',
    path: '/portal/subscriptions',
    async handle(call) {
      const { text } = call.translator;
      const { subscriptions, nextCursor } = await readSubscriptions(
        parts.db,
        call.visitor,
        call.query.cursor,
        call.now,
      );
      const body = html`${subscriptionSections(call, subscriptions)}${olderLink(call, nextCursor)}`;
      return framed(call, { title: text.subscriptions.older, body, current: 'account' });
    },
  });
}

/** Also the answer to a refused form: with the reason and the current state. */
export async function accountPage(
  { db }: PortalPageParts,
  call: VisitCall,
  refused?: { notice: Notice; status: number },
) {
  const { visitor, translator, visit, now } = call;
  const { text, to } = translator;
  const { merchantId, projectId, customerIds } = visitor;
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [{ subscriptions, nextCursor }, invoices, usage] = await Promise.all([
    readSubscriptions(db, visitor, undefined, now),
    readInvoices(db, visitor, { limit: FEW }, now),
    readSums(db, { merchantId, timeZone: 'UTC' }, { projectId, customerIds, from, limit: FEW }),
  ]);
  return framed(call, {
    title: text.account,
    current: 'account',
    notice: refused?.notice ?? doneNotice(call, subscriptions),
    ...(refused && { status: refused.status }),
    body: html`${subscriptionSections(call, subscriptions)}
${olderLink(call, nextCursor)}
<section class="portal-section" aria-labelledby="invoices">
<div class="portal-head"><h2 id="invoices">${text.invoices.recent}</h2>${invoices.nextCursor && html`<a href="${to('/portal/invoices')}">${text.invoices.all}</a>`}</div>
${invoiceList(translator, invoices.data, now)}
</section>
<section class="portal-section" aria-labelledby="balance">
<div class="portal-head"><h2 id="balance">${text.balance.title}</h2><a href="${to('/portal/balance')}">${text.balance.entries}</a></div>
${balanceTiles(translator, visit)}
</section>
${
  usage.data.length > 0 &&
  html`<section class="portal-section" aria-labelledby="usage">
<div class="portal-head"><h2 id="usage">${text.usage.thisMonth}</h2><a href="${to('/portal/usage')}">${text.usage.all}</a></div>
${usageList(translator, usage.data, 'total')}
</section>`
}
${detailsSection(translator, visit)}`,
  });
}

function olderLink({ translator }: VisitCall, cursor: string | null): Html | undefined {
  if (cursor === null) return undefined;
  const { text, to } = translator;
  return html`<p><a href="${to('/portal/subscriptions', { cursor })}">${text.subscriptions.older}</a></p>`;
}
