import { type Html, html } from '../../platform/http/html.ts';
import { scriptUrl, stylesheetUrl } from './assets.ts';
import { directionOf, LANGUAGE_NAMES, LANGUAGES, type Language } from './language.ts';
import { commonMessages } from './messages/languages.ts';

export interface Page {
  language: Language;
  title: string;
  /** The content of <main>. */
  body: Html;
  /** Above everything else: the sandbox says that its money is none. */
  banner?: Html | undefined;
  /** A page that updates automatically: where it listens, and which state it shows now. */
  live?: { url: string; version: string } | undefined;
  /** Announced to screen readers whenever it changes. */
  announce?: string | undefined;
  /** The merchant's own colour, as `#rrggbb`. */
  brandColor?: string | null | undefined;
  /** Wider than a single column. */
  wide?: boolean;
  status?: number;
}

/** The whole document around a page. Without scripts everything is still there to read and to submit. */
export function documentOf(page: Page, address: URL): string {
  const { language } = page;
  const text = commonMessages[language];
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetUrl}">
${page.brandColor && html`<link rel="stylesheet" href="/brand/${page.brandColor.slice(1)}.css">`}
<script type="module" src="${scriptUrl('page')}"></script>
</head>
<body>
<a class="skip" href="#main">${text.skip}</a>
<div id="banner">${page.banner}</div>
<main id="main" tabindex="-1" class="${page.wide ? 'wide' : 'narrow'}"${liveAttributes(page)} data-announce="${page.announce ?? ''}">
${page.body}
</main>
<footer class="foot">
<nav aria-label="${text.language}"><ul class="languages">${LANGUAGES.map((each) => languageLink(each, language, address))}</ul></nav>
<p>${text.poweredBy} <span dir="ltr">Florin</span></p>
</footer>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
`.toString();
}

function liveAttributes({ live }: Page): Html | undefined {
  return live && html` data-live="${live.url}" data-version="${live.version}"`;
}

function languageLink(each: Language, current: Language, address: URL): Html {
  const query = new URLSearchParams(address.searchParams);
  query.set('lang', each);
  const isCurrent = each === current;
  return html`<li><a href="?${query.toString()}" lang="${each}" hreflang="${each}"${isCurrent && html` aria-current="true"`}>${LANGUAGE_NAMES[each]}</a></li>`;
}
