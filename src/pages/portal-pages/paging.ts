import { type Html, html } from '../../platform/http/html.ts';
import type { Translator } from './translator.ts';

/** Links to older entries, and back to the beginning. */
export function paging(
  { text, to }: Translator,
  path: string,
  query: Record<string, string>,
  { cursor, nextCursor }: { cursor: string | undefined; nextCursor: string | null },
): Html | undefined {
  if (cursor === undefined && nextCursor === null) return undefined;
  return html`<nav class="actions paging" aria-label="${text.paging.label}">
${cursor !== undefined && html`<a class="button small" href="${to(path, query)}">${text.paging.newest}</a>`}
${nextCursor !== null && html`<a class="button small" rel="next" href="${to(path, { ...query, cursor: nextCursor })}">${text.paging.older}</a>`}
</nav>`;
}
