import { html } from '../../src/platform/http/html.ts';
import { codeFigure } from './code-figure.ts';
import { GROUPS } from './contents.ts';
import { AT_HOME, framed, pageContents } from './frame.ts';

/** First page of the documentation: the product, the way in, and every page with a line about it. */
export function homePage(): string {
  return framed({
    place: AT_HOME,
    title: 'Florin documentation',
    contents: pageContents(AT_HOME, undefined),
    main: html`<div class="home prose">
<h1>Florin documentation</h1>
<p class="lead">Accept USDC on Solana straight into your own wallet, and run billing on top of it. Self-hosted and
non-custodial: the service holds no key to anyone’s money.</p>
<p class="actions"><a class="button primary" href="${AT_HOME.docs}quickstart">Take a first payment</a>
<a class="button" href="${AT_HOME.docs}reference">API reference</a></p>
<p>One command starts everything, with test money and a demo merchant:</p>
${codeFigure('sh', 'npm ci && npm start')}
${GROUPS.map(
  ({ title, entries }) => html`<section aria-label="${title}"><h2>${title}</h2>
<ul class="cards">
${entries.map(({ name, title, about }) => html`<li><a href="${AT_HOME.docs}${name}">${title}</a><p>${about}</p></li>\n`)}</ul></section>\n`,
)}
<section aria-label="For programs"><h2>For programs</h2>
<p>The API is described in <a href="openapi.json">openapi.json</a> (OpenAPI 3.1). Every page is also there as Markdown, under
its address with <code>.md</code>; <a href="llms.txt">llms.txt</a> lists them, and <a href="llms-full.txt">llms-full.txt</a> is all of
them in one. The TypeScript client comes from here too: <a href="docs/sdk">npm install</a> takes <a href="sdk.tgz">sdk.tgz</a>.</p></section>
</div>`,
  });
}
