import { type Html, type HtmlPart, html } from '../../platform/http/html.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import type { Page } from '../parts/page.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { named, type Translator, t } from './translator.ts';
import type { Visit, VisitCall } from './visit.ts';

export type Place = 'account' | 'invoices' | 'balance' | 'usage';

export interface Notice {
  tone: 'good' | 'warn' | 'bad';
  text: Html;
}

export interface PortalContent {
  /** Title of the window; of the heading too, unless that has markup. */
  title: string;
  heading?: Html;
  body: Html;
  notice?: Notice | undefined;
  current?: Place;
  status?: number;
}

const PLACES: Record<Place, string> = {
  account: '/portal',
  invoices: '/portal/invoices',
  balance: '/portal/balance',
  usage: '/portal/usage',
};

export function senderOf({ merchantName, projectName }: Visit): string {
  return merchantName ?? projectName;
}

/** The frame of every page of a visit: whose portal it is, who is signed in, and the navigation. */
export function framed(
  call: VisitCall,
  { title, heading, body, notice, current, status }: PortalContent,
): Page {
  const { translator, visit, isSandbox } = call;
  return {
    language: translator.language,
    title: `${title} · ${senderOf(visit)}`,
    ...(status !== undefined && { status }),
    wide: true,
    brandColor: visit.brandColor,
    banner: isSandbox ? sandboxBanner(translator) : undefined,
    body: html`<div class="portal">
${side(translator, visit, current)}
<div class="portal-main">
${notice && noticeBox(notice)}
<h1>${heading ?? title}</h1>
${body}
</div>
<div class="portal-out">
${form(translator, visit, '/portal/sign-out', html`<button class="small">${translator.text.signOut}</button>`)}
<p class="muted small">${t(translator.text.visitUntil, { moment: translator.moment(visit.expiresAt) })}</p>
</div>
</div>`,
  };
}

export function sandboxBanner({ language }: Translator): Html {
  return html`<p class="banner">${commonMessages[language].sandbox}</p>`;
}

function side(translator: Translator, visit: Visit, current: Place | undefined): Html {
  const { text, to } = translator;
  const { customer, returnUrl } = visit;
  return html`<div class="portal-side">
<div class="portal-who">
<div class="portal-merchant">${sellerSign(senderOf(visit), visit.logoFile)}</div>
<p class="muted">${named(customer.name ?? customer.email ?? text.yourself)}</p>
</div>
${isWebAddress(returnUrl) && html`<p><a class="portal-back" href="${returnUrl}"><span>${t(text.backTo, { merchant: named(senderOf(visit)) })}</span></a></p>`}
<nav class="portal-nav" aria-label="${text.nav.label}"><ul>${(Object.keys(PLACES) as Place[]).map(
    (place) =>
      html`<li><a href="${to(PLACES[place])}"${place === current && html` aria-current="page"`}>${text.nav[place]}</a></li>`,
  )}</ul></nav>
</div>`;
}

/** It was checked when the link was made; a page still leads nowhere but to the web. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}

/** Focused when the page opens, so that screen readers announce the result first. */
function noticeBox({ tone, text }: Notice): Html {
  const role = tone === 'good' ? 'status' : 'alert';
  return html`<p class="notice ${tone}" role="${role}" tabindex="-1" autofocus>${text}</p>`;
}

/** A form of this visit. */
export function form(
  { to }: Translator,
  { csrfToken }: Visit,
  path: string,
  content: HtmlPart,
  query = {},
): Html {
  return html`<form method="post" action="${to(path, query)}" novalidate>
<input type="hidden" name="csrf" value="${csrfToken}">
${content}
</form>`;
}
