import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../src/platform/lib/lazy.ts';
import type { ApiDocument } from '../reference/document.ts';
import { referenceOf } from '../reference/page.ts';
import { ENTRIES, type Entry } from './contents.ts';
import { framed, INSIDE } from './frame.ts';
import { homePage } from './home-page.ts';
import { picturesIn, readMarkdown } from './markdown.ts';
import { manualPage } from './page.ts';
import { addressOf } from './page-address.ts';
import { llmsFullText, llmsText } from './plain-text.ts';
import { type Finding, rank, searchEntries } from './search.ts';
import { searchPage } from './search-page.ts';
import { tryDialog } from './try-dialog.ts';

export interface Manual {
  home(): string;
  /** One page of docs/, and its Markdown. */
  page(entry: Entry): string;
  source(entry: Entry): string;
  /** One of the pictures they show; no other file. */
  picture(name: string): Buffer | undefined;
  reference(): string;
  /** Returns the index that the search reads, as JSON; `search` returns a page of results. */
  searchJson(): string;
  search(query: string): string;
  find(query: string, limit: number): Finding[];
  /** Texts for programs that read: a list of the pages, and all of them in one. */
  llms(publicUrl: string): string;
  llmsFull(publicUrl: string): string;
}

const DOCS = join(import.meta.dirname, '../../docs');

/** The whole documentation. Sources that several pages share are read once, when the first of them is requested. */
export function writeManual(api: ApiDocument, canBeTried: boolean): Manual {
  const pages = ENTRIES.map((entry) => {
    const source = lazy(() => readFileSync(join(DOCS, `${entry.name}.md`), 'utf8'));
    return { entry, source, text: lazy(() => readMarkdown(source(), addressOf)) };
  });
  const pageOf = (entry: Entry) => pages[ENTRIES.indexOf(entry)]!;
  const pictures = lazy(() => pages.flatMap(({ source }) => picturesIn(source())));
  const entries = lazy(() => searchEntries(pages, api));
  return {
    home: homePage,
    page: (entry) => manualPage(entry, pageOf(entry).text()),
    source: (entry) => pageOf(entry).source(),
    picture: (name) => (pictures().includes(name) ? readFileSync(join(DOCS, 'images', name)) : undefined),
    reference: () => referencePage(api, canBeTried),
    searchJson: () => JSON.stringify(entries()),
    search: (query) => searchPage(entries(), query),
    find: (query, limit) => rank(entries(), query, limit),
    llms: llmsText,
    llmsFull: (publicUrl) => llmsFullText(pages, publicUrl),
  };
}

function referencePage(document: ApiDocument, canBeTried: boolean): string {
  const { contents, main } = referenceOf(document, canBeTried);
  return framed({
    place: INSIDE,
    title: 'API reference · Florin',
    contents,
    main,
    styles: ['reference.css'],
    scripts: canBeTried ? ['reference.js', 'try.js'] : ['reference.js'],
    isReference: true,
    after: canBeTried ? tryDialog : undefined,
  });
}
