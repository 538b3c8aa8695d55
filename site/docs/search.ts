import type { ApiDocument } from '../reference/document.ts';
import { endpointsOf } from '../reference/document.ts';
import type { Entry } from './contents.ts';
import type { ManualText } from './markdown.ts';

/** One search result; `url` is relative to /docs/. */
export interface SearchEntry {
  url: string;
  page: string;
  heading: string;
  text: string;
}

export interface Finding {
  entry: SearchEntry;
  before: string;
  match: string;
  after: string;
}

interface Ranking {
  rank(entries: readonly SearchEntry[], query: string, limit: number): Finding[];
}

/** The script of the page itself, so that a reader without scripts finds the same. */
export const { rank }: Ranking = await import(new URL('./browser/rank.js', import.meta.url).href);

/** Enough to find a section by; the rest of a long one adds weight and few words. */
const MAX_TEXT = 2_000;

/** Shortens a text; the rest keeps only names of settings, which readers search long tables for. */
function shortened(text: string): string {
  const names = text.slice(MAX_TEXT).match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [];
  return [text.slice(0, MAX_TEXT), ...new Set(names)].join(' ').trim();
}

export function searchEntries(
  pages: readonly { entry: Entry; text(): ManualText }[],
  document: ApiDocument,
): SearchEntry[] {
  return [
    ...pages.flatMap(({ entry, text }) =>
      text().sections.map(({ id, heading, text }) => ({
        url: id === '' ? entry.name : `${entry.name}#${id}`,
        page: entry.title,
        heading: id === '' ? entry.title : heading,
        text: shortened(text),
      })),
    ),
    ...operationEntries(document),
  ];
}

/** Version 1 of billing has the same operations again; one of each is enough to find. */
function operationEntries(document: ApiDocument): SearchEntry[] {
  return endpointsOf(document)
    .filter(({ operation }) => !operation.operationId.endsWith('V1'))
    .map(({ method, path, operation: { operationId, summary, description = '' } }) => ({
      url: `reference#${operationId}`,
      page: 'API reference',
      heading: summary,
      text: `${method} ${path} ${description.replaceAll('`', '').replace(/\s+/g, ' ')}`.trim(),
    }));
}
