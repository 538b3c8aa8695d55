import { type Html, html } from '../../platform/http/html.ts';
import { directionOf, LANGUAGES, type Language } from '../../platform/lib/language.ts';
import { scriptUrl, stylesheetUrl, tillStylesheetUrl } from './assets.ts';
import { LANGUAGE_NAMES } from './language.ts';
import { commonMessages } from './messages/languages.ts';
import type { CommonMessages } from './messages/messages.ts';

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
  /** Seller's contact and terms. */
  seller?: { supportEmail: string | null; termsUrl: string | null } | undefined;
  /** Sites that may show the page inside their own, and what it reports to them. */
  embed?: Embed | undefined;
  /** The till: an app that can be installed, with a script of its own. */
  app?: { manifest: string; icon: string } | undefined;
  /** Wider than a single column. */
  wide?: boolean;
  status?: number;
  /** It only tells what is wrong: nothing on it does anything. */
  isNotice?: boolean;
}

export interface Embed {
  origins: readonly string[];
  /** Absent while there is no checkout session yet. */
  sessionId?: string;
  status: EmbedStatus;
}

/**
 * Status that an embedding page gets. It is never proof of payment: anybody can change what their own browser shows.
 */
export type EmbedStatus = 'open' | 'processing' | 'complete' | 'expired' | 'canceled';

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
${page.app && appLinks(page.app)}
<script type="module" src="${scriptUrl(page.app ? 'till' : 'page')}"></script>
</head>
<body>
<a class="skip" href="#main">${text.skip}</a>
<div id="banner">${page.banner}</div>
<main id="main" tabindex="-1" class="${page.wide ? 'wide' : 'narrow'}"${liveAttributes(page)}${embedAttributes(page)} data-announce="${page.announce ?? ''}">
${page.body}
</main>
${hasEmbedding(page) && html`<p class="new-tab" data-framed hidden><a href="${address.pathname}${address.search}" target="_blank" rel="noopener">${text.newTab}</a></p>`}
<footer class="foot">
${sellerLinks(page, text)}
<nav aria-label="${text.language}"><ul class="languages">${LANGUAGES.map((each) => languageLink(each, language, address))}</ul></nav>
<p>${text.poweredBy} <span dir="ltr">Florin</span></p>
</footer>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
`.toString();
}

function appLinks({ manifest, icon }: NonNullable<Page['app']>): Html {
  return html`<link rel="stylesheet" href="${tillStylesheetUrl}">
<link rel="manifest" href="${manifest}">
<link rel="apple-touch-icon" href="${icon}">
<meta name="mobile-web-app-capable" content="yes">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f5f7f8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d1115">`;
}

function sellerLinks({ seller }: Page, text: CommonMessages): Html | undefined {
  const { supportEmail, termsUrl } = seller ?? {};
  if (!supportEmail && !termsUrl) return undefined;
  const contact =
    supportEmail &&
    html`<li><a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}">${text.contact}</a></li>`;
  const terms =
    termsUrl && html`<li><a href="${termsUrl}" target="_blank" rel="noreferrer">${text.terms}</a></li>`;
  return html`<ul class="seller-links">${contact}${terms}</ul>`;
}

function liveAttributes({ live }: Page): Html | undefined {
  return live && html` data-live="${live.url}" data-version="${live.version}"`;
}

const hasEmbedding = ({ embed }: Page) => embed !== undefined && embed.origins.length > 0;

function embedAttributes(page: Page): Html | undefined {
  const { embed } = page;
  if (!embed || !hasEmbedding(page)) return undefined;
  return html` data-embed="${embed.origins.join(' ')}" data-status="${embed.status}" data-session="${embed.sessionId ?? ''}"`;
}

function languageLink(each: Language, current: Language, address: URL): Html {
  const query = new URLSearchParams(address.searchParams);
  query.set('lang', each);
  const isCurrent = each === current;
  return html`<li><a href="?${query.toString()}" lang="${each}" hreflang="${each}"${isCurrent && html` aria-current="true"`}>${LANGUAGE_NAMES[each]}</a></li>`;
}
