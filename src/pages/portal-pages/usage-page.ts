import { readSums } from '../../billing/usage/answer-sums.ts';
import type { Granularity } from '../../billing/usage/summary.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatMonth } from '../parts/format.ts';
import type { PageScope } from '../parts/page-route.ts';
import { framed } from './frame.ts';
import { paging } from './paging.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { type Translator, t } from './translator.ts';

const PATH = '/portal/usage';

/** Granularities as the address names them. */
const VIEWS = ['month', 'day', 'total'] as const satisfies readonly Granularity[];

type Sum = Awaited<ReturnType<typeof readSums>>['data'][number];

export function usagePages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { translator, visitor } = call;
      const { merchantId, projectId, customerIds } = visitor;
      const granularity = VIEWS.find((view) => view === call.query.by) ?? 'month';
      const { cursor } = call.query;
      const wanted = { projectId, customerIds, granularity, ...(cursor !== undefined && { cursor }) };
      const { data, nextCursor } = await readSums(parts.db, { merchantId, timeZone: 'UTC' }, wanted);
      return framed(call, {
        title: translator.text.usage.title,
        current: 'usage',
        body: html`${views(translator, granularity)}
${data.length === 0 ? html`<p class="muted">${translator.text.usage.none}</p>` : usageList(translator, data, granularity)}
${paging(translator, PATH, { by: granularity }, { cursor, nextCursor })}`,
      });
    },
  });
}

function views({ text, to }: Translator, current: Granularity): Html {
  const labels = { month: text.usage.byMonth, day: text.usage.byDay, total: text.usage.inAll };
  return html`<nav aria-label="${text.usage.by}"><ul class="views">${VIEWS.map(
    (view) =>
      html`<li><a href="${to(PATH, { by: view })}"${view === current && html` aria-current="true"`}>${labels[view]}</a></li>`,
  )}</ul></nav>`;
}

export function usageList(translator: Translator, sums: readonly Sum[], granularity: Granularity): Html {
  return html`<ul class="card rows">${sums.map((sum) => html`<li>${sumRow(translator, sum, granularity)}</li>`)}</ul>`;
}

function sumRow(translator: Translator, sum: Sum, granularity: Granularity): Html {
  const { text, count } = translator;
  return html`<div class="row-what">
<p><code dir="ltr">${sum.metric}</code></p>
${granularity !== 'total' && html`<p class="muted small">${periodOf(translator, sum, granularity)}</p>`}
</div>
<div class="row-amount amount">
<p>${count(sum.quantity)}</p>
${sum.creditsUsed > 0n && html`<p class="muted small">${t(text.usage.credits, { count: count(sum.creditsUsed) })}</p>`}
</div>`;
}

function periodOf({ day, language }: Translator, { periodStart }: Sum, granularity: Granularity): string {
  return granularity === 'month' ? formatMonth(periodStart!, language) : day(periodStart!);
}
