import { type Html, html } from '../../src/platform/http/html.ts';
import { type Entry, GROUPS } from './contents.ts';

/** Position of a page, and so the prefix of other addresses: relative, to work below a proxy's path too. */
export interface Place {
  docs: string;
  root: string;
}

/** Position of /docs itself. */
export const AT_HOME: Place = { docs: 'docs/', root: '' };
/** Position of any /docs/page. */
export const INSIDE: Place = { docs: '', root: '../' };

export interface FramedPage {
  place: Place;
  title: string;
  /** Beside the page: the list of pages, unless it brings its own contents. */
  contents: Html;
  main: Html;
  styles?: readonly string[];
  scripts?: readonly string[];
  /** Text that the reader searched for, if the page shows its results. */
  query?: string;
  isReference?: boolean;
  /** Content after the page, such as a dialog. */
  after?: Html | undefined;
}

/** Wraps a page of the documentation in what every page has around it. */
export function framed(page: FramedPage): string {
  const { place, title, contents, main, styles = [], scripts = [], query = '', after } = page;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${place.root}icon.svg" type="image/svg+xml">
${['site.css', ...styles].map((name) => html`<link rel="stylesheet" href="${place.docs}${name}">\n`)}${['site.js', 'search.js', ...scripts].map((name) => html`<script src="${place.docs}${name}" type="module"></script>\n`)}</head>
<body data-docs="${place.docs}">
<a class="skip" href="#site-main">Skip to content</a>
<header class="top">
<a class="brand" href="${place.root}docs"><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><circle cx="16" cy="16" r="15"/><path d="M12 24V11q0-3.500 3.500-3.500H21M8.500 15.500H19"/></svg><b>Florin</b> <span>Docs</span></a>
<form class="search" role="search" action="${place.docs}search" method="get">
<label><span class="unseen">Search the documentation</span>
<input id="site-query" type="search" name="q" value="${query}" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="200"></label><kbd aria-hidden="true">/</kbd>
<div id="site-findings" hidden></div>
</form>
<a class="to-reference" href="${place.docs}reference"${page.isReference ? html` aria-current="page"` : ''}>API reference</a>
<button class="menu" type="button" popovertarget="site-contents">Menu</button>
</header>
<div class="frame">
<nav id="site-contents" aria-label="Contents" popover>
${contents}
</nav>
<main id="site-main" tabindex="-1">
${main}
</main>
</div>
${after}
</body>
</html>
`;
  return text.toString();
}

/** The pages there are, with the one that is open marked. */
export function pageContents(place: Place, current: Entry | undefined): Html {
  const item = ({ name, title }: Entry) =>
    html`<li><a href="${place.docs}${name}"${name === current?.name ? html` aria-current="page"` : ''}>${title}</a></li>\n`;
  return html`${GROUPS.map(
    ({ title, entries }) =>
      html`<section><p>${title}</p><ul aria-label="${title}">\n${entries.map(item)}</ul></section>\n`,
  )}<section><p>Reference</p><ul aria-label="Reference">
<li><a href="${place.docs}reference">API reference</a></li>
<li><a href="${place.root}openapi.json">openapi.json</a></li>
<li><a href="${place.root}llms.txt">llms.txt</a></li>
</ul></section>`;
}
