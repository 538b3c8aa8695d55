import { type Html, html } from '../../src/platform/http/html.ts';
import { ENTRIES, type Entry } from './contents.ts';
import { framed, INSIDE, pageContents } from './frame.ts';
import type { Heading, ManualText } from './markdown.ts';

/** One page of docs/ in its frame, with what is on it beside it and its neighbours below. */
export function manualPage(entry: Entry, { title, body, headings }: ManualText): string {
  const shown = headings.filter(({ depth }) => depth <= 3);
  return framed({
    place: INSIDE,
    title: `${entry.title} · Florin`,
    contents: pageContents(INSIDE, entry),
    main: html`<div class="sheet">
<article class="prose">
<h1>${title}</h1>
${shown.length > 1 && html`<details class="brief-toc"><summary>On this page</summary>${headingList(shown)}</details>`}
${body}
${neighbours(entry)}
</article>
<aside class="toc">
${shown.length > 1 && html`<nav aria-label="On this page"><p>On this page</p>${headingList(shown)}</nav>`}
<p class="as-text"><a href="${entry.name}.md">This page as Markdown</a></p>
</aside>
</div>`,
  });
}

function headingList(headings: readonly Heading[]): Html {
  return html`<ul>
${headings.map(({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>\n`)}</ul>`;
}

function neighbours(entry: Entry): Html {
  const at = ENTRIES.indexOf(entry);
  const link = (other: Entry | undefined, rel: string, word: string) =>
    other && html`<a href="${other.name}" rel="${rel}"><span>${word}</span> ${other.title}</a>\n`;
  return html`<nav class="neighbours" aria-label="Previous and next page">
${link(ENTRIES[at - 1], 'prev', 'Previous')}${link(ENTRIES[at + 1], 'next', 'Next')}</nav>`;
}
