import type { Posting } from '../../billing/ledger/posting.ts';
import { listPostings } from '../../billing/ledger/queries.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { readPage, toRange } from '../../platform/http/list.ts';
import type { PageScope } from '../parts/page-route.ts';
import { framed } from './frame.ts';
import { paging } from './paging.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { named, type Translator, t } from './translator.ts';
import type { Visit } from './visit.ts';

const PATH = '/portal/balance';

export function balancePages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { translator, visit, visitor } = call;
      const { text } = translator;
      const { cursor } = call.query;
      const range = toRange(cursor === undefined ? {} : { cursor });
      const { data, nextCursor } = await readPage(range, (wanted) => listPostings(parts.db, visitor, wanted));
      return framed(call, {
        title: text.balance.title,
        current: 'balance',
        body: html`${balanceTiles(translator, visit)}
<section class="portal-section" aria-labelledby="entries">
<h2 id="entries">${text.balance.entriesTitle}</h2>
${data.length === 0 && html`<p class="muted">${text.balance.none}</p>`}
${data.length > 0 && html`<ul class="card rows">${data.map((posting) => html`<li>${postingRow(translator, posting)}</li>`)}</ul>`}
${paging(translator, PATH, {}, { cursor, nextCursor })}
</section>`,
      });
    },
  });
}

/** Balances are not added up: what one purchase gave is not spent by another until the merchant merges them. */
export function balanceTiles(translator: Translator, { customer, customers }: Visit): Html {
  const held = customers.filter(
    ({ creditBalance, accountCreditCents }) => creditBalance > 0n || accountCreditCents > 0n,
  );
  const first = customers.filter(({ customerId }) => customerId === customer.id);
  return html`${(held.length === 0 ? first : held).map((one) => tilesOf(translator, one))}`;
}

function tilesOf({ text, usd, count }: Translator, balance: Visit['customers'][number]): Html {
  const { credits, creditsHint, accountCredit, accountCreditHint } = text.balance;
  return html`<dl class="tiles">
<div class="card"><dt>${accountCredit}</dt><dd><span class="amount">${usd(balance.accountCreditCents)}</span> <span class="muted small">${accountCreditHint}</span></dd></div>
<div class="card"><dt>${credits}</dt><dd><span class="amount">${count(balance.creditBalance)}</span> <span class="muted small">${creditsHint}</span></dd></div>
</dl>`;
}

/** A movement is of credits or of money, never of both. */
function postingRow(translator: Translator, posting: Posting): Html {
  const { text, usd, count, moment } = translator;
  const isMoney = posting.deltaCents !== 0n;
  const delta = isMoney ? posting.deltaCents : posting.deltaCredits;
  const credits = (amount: string) => t(text.balance.creditsChange, { count: amount });
  const size = isMoney ? signed(delta, usd(delta)) : credits(signed(delta, count(delta)));
  const after = isMoney ? usd(posting.centsAfter) : credits(count(posting.creditsAfter));
  return html`<div class="row-what">
<p><strong class="row-name">${text.balance.kinds[posting.counterAccount]}</strong>${posting.reversesId && html` <span class="badge">${text.balance.reversal}</span>`}</p>
${posting.reason && html`<p class="muted small">${named(posting.reason)}</p>`}
<p class="muted small">${moment(posting.createdAt)}</p>
</div>
<div class="row-amount amount">
<p${delta > 0n && html` class="plus"`}>${size}</p>
<p class="muted small">${t(text.balance.after, { amount: after })}</p>
</div>`;
}

/** Isolated, because in a line from right to left the sign would go to the other end. */
function signed(delta: bigint, text: string): string {
  return delta > 0n ? `\u2066+${text}\u2069` : text;
}
