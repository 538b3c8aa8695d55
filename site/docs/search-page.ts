import { html } from '../../src/platform/http/html.ts';
import { framed, INSIDE, pageContents } from './frame.ts';
import { type Finding, rank, type SearchEntry } from './search.ts';

const MAX = 30;

/** Page for readers who search without scripts, or press Enter before choosing a suggestion. */
export function searchPage(entries: readonly SearchEntry[], query: string): string {
  const findings = rank(entries, query, MAX);
  return framed({
    place: INSIDE,
    title: query === '' ? 'Search · Florin' : `“${query}” · Florin`,
    contents: pageContents(INSIDE, undefined),
    query,
    main: html`<div class="sheet"><article class="prose">
<h1>Search</h1>
${query === '' ? html`<p>What are you looking for? Type a word or two above.</p>` : answer(findings, query)}
</article></div>`,
  });
}

function answer(findings: readonly Finding[], query: string) {
  if (findings.length === 0)
    return html`<p>Nothing holds “${query}”. Try fewer words, or <a href="reference">the API reference</a>.</p>`;
  return html`<ol class="findings">
${findings.map(
  ({ entry: { url, page, heading }, before, match, after }) =>
    html`<li><a href="${url}">${heading}</a> <span>${page !== heading && page}</span><p>${before}<mark>${match}</mark>${after}</p></li>\n`,
)}</ol>`;
}
