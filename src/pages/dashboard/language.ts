import type { IncomingHttpHeaders } from 'node:http';
import { directionOf, type Language } from '../../platform/lib/language.ts';
import { chooseLanguage } from '../parts/language.ts';

/** Returns the language that the reader chose in the dashboard, or else the one that their browser prefers. */
export function dashboardLanguage(headers: IncomingHttpHeaders): Language {
  const chosen = /(?:^|;\s*)florin_language=(\w+)/.exec(headers.cookie ?? '')?.[1];
  return chooseLanguage(chosen, headers['accept-language']);
}

/** The page with the language's sentences in front of its other scripts: modules run in the order of the page. */
export function pageIn(language: Language, page: string, words: string | undefined): string {
  const spoken = page.replace(
    '<html lang="en" dir="ltr">',
    `<html lang="${language}" dir="${directionOf(language)}">`,
  );
  if (words === undefined) return spoken;
  return spoken.replace('<script', `<script type="module" crossorigin src="${words}"></script>\n    <script`);
}
