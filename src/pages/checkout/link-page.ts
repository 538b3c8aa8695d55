import { answerProgram } from '../../agents/mpp/answer-program.ts';
import type { MppParts } from '../../agents/mpp/parts.ts';
import { linkPlaces } from '../../agents/x402/link-place.ts';
import { purposeOf } from '../../agents/x402/purpose.ts';
import { findSession } from '../../billing/checkout-sessions/queries.ts';
import { whyClosed } from '../../billing/payment-links/link.ts';
import type { PublicLink, PublicLinkCache } from '../../billing/payment-links/public-link-cache.ts';
import {
  requireVerifiedSeller,
  type StartCheckout,
  startCheckout,
} from '../../billing/payment-links/start-checkout.ts';
import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere, hasPaymentUnderWay } from '../../intents/queries.ts';
import { html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Language } from '../../platform/lib/language.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import type { Page } from '../parts/page.ts';
import {
  type PageCall,
  type PageScope,
  type ProgramCall,
  pageRoute,
  type Redirect,
} from '../parts/page-route.ts';
import { bodyOf, type LinkOrder, orderForm, readOrder } from './link-form.ts';
import { linkSummary } from './link-summary.ts';
import { linkMessages } from './messages/link/languages.ts';

export interface LinkParts extends StartCheckout {
  linkCache: PublicLinkCache;
  network: string;
  programs: MppParts;
}

/** The public page of a payment link. Opening it creates nothing; a session is made when the buyer confirms. */
export function linkPages(scope: PageScope, parts: LinkParts): void {
  const path = '/pay/:publicToken';
  const places = linkPlaces({ ...parts.programs, linkCache: parts.linkCache });
  const answerAt = ({ request, reply, params, query }: ProgramCall) =>
    answerProgram(parts.programs, request, reply, () => places.at(params.publicToken!, query));
  pageRoute(scope, {
    method: 'GET',
    path,
    answerProgram: answerAt,
    // Opening a page is not an error.
    handle: (call) => withLink(parts, call, (found) => linkPage(parts, found, call, { problems: {} })),
  });
  pageRoute(scope, {
    method: 'POST',
    path,
    rate: 'checkout',
    answerProgram: answerAt,
    handle: (call) => withLink(parts, call, (found) => confirmLink(parts, found, call)),
  });
}

/** Problems with the link have their own texts; everything else is as on every page. */
async function withLink<Result>(
  { linkCache }: LinkParts,
  { params, language }: PageCall,
  work: (found: PublicLink) => Promise<Result> | Result,
): Promise<Result | Page> {
  const found = await linkCache.find(params.publicToken!);
  try {
    if (!found) throw new AppError('NOT_FOUND');
    return await work(found);
  } catch (error) {
    const explained = error instanceof AppError ? explain(error, found, language) : undefined;
    if (!explained) throw error;
    return { ...explained, brandColor: found?.brandColor, seller: found?.settings, embed: embedOf(found) };
  }
}

function embedOf(found: PublicLink | undefined): Page['embed'] {
  return found && { origins: found.settings.embedOrigins, status: 'open' };
}

async function confirmLink(parts: LinkParts, found: PublicLink, call: PageCall): Promise<Page | Redirect> {
  const order = readOrder(askingLink(found), call);
  if (order.isReferenceUnusable) return damagedLink(found, call);
  if (Object.keys(order.problems).length > 0) return linkPage(parts, found, call, order);
  const ownKey = call.form.key;
  const key = ownKey ?? purposeOf(call.request) ?? undefined;
  const { text, replayed } = await startCheckout(
    parts,
    found.link.publicToken,
    bodyOf(order, key),
    call.request.ip,
    call.language,
  );
  const { checkoutUrl, sessionId } = JSON.parse(text) as { checkoutUrl: string; sessionId: string };
  if (replayed && ownKey === undefined) await requireUnpaid(parts, found.link.merchantId, sessionId);
  // By its path alone: whatever we are called from outside, the buyer stays where they are.
  return { redirectTo: `${new URL(checkoutUrl).pathname}?lang=${call.language}` };
}

/** A page's own key is random. One that a client chose can be guessed, and proves nobody to be the buyer. */
async function requireUnpaid({ db }: LinkParts, merchantId: string, sessionId: string): Promise<void> {
  const session = await findSession(db, { merchantId, id: sessionId });
  const intent = session && (await findIntentAnywhere(db, session.paymentIntentId));
  if (!intent) return;
  const hasMoney = session.status === 'complete' || PAID.has(intent.status);
  if (!hasMoney && !(await hasPaymentUnderWay(db, intent))) return;
  const message =
    'This Idempotency-Key was used for an order that has been paid. Its receipt is at its checkout. To buy again, send another key.';
  throw new AppError('IDEMPOTENCY_CONFLICT', { message });
}

const PAID = new Set<Intent['status']>(['processing', 'succeeded', 'underpaid']);

/** Buyers who start a trial say how to reach them before it ends. */
function askingLink({ link, price }: PublicLink): PublicLink['link'] {
  return { ...link, collectCustomerEmail: link.collectCustomerEmail || price.trialDays !== null };
}

function linkPage(
  { clock, environment, network }: LinkParts,
  found: PublicLink,
  call: PageCall,
  { problems }: Pick<LinkOrder, 'problems'>,
): Page {
  const { link, price, isArchived, merchantName, brandColor } = found;
  if (whyClosed(link, { isArchived, price, now: clock.now() })) throw new AppError('PAYMENT_LINK_INACTIVE');
  requireVerifiedSeller(found, environment);
  const { language } = call;
  const text = linkMessages[language];
  const asking = askingLink(found);
  const isTrial = price.trialDays !== null;
  const order = { ...readOrder(asking, call), problems };
  if (order.isReferenceUnusable) return damagedLink(found, call);
  const isWrong = Object.keys(problems).length > 0;
  const subject = merchantName === null ? price.productName : `${price.productName} · ${merchantName}`;
  return {
    language,
    title: isWrong ? `${text.problems.title} · ${subject}` : subject,
    status: isWrong ? 400 : 200,
    wide: true,
    brandColor,
    seller: found.settings,
    embed: embedOf(found),
    banner:
      network === 'sandbox' ? html`<p class="banner">${commonMessages[language].sandbox}</p>` : undefined,
    body: html`<div class="link">
<section class="link-summary">${linkSummary(found, order.isReferenceGiven ? order.reference : undefined, language)}</section>
<section class="card stack link-order" aria-label="${text.form.title}">
${orderForm({ link: asking, price }, order, language)}
<p class="muted small">${isTrial ? text.form.trialNext : text.form.next}</p>
</section>
</div>`,
  };
}

/**
 * An invalid reference is refused here: if it were dropped silently, the seller could not tell whose payment it is.
 */
function damagedLink(found: PublicLink, { language }: PageCall): Page {
  const { merchantName, brandColor } = found;
  const { damaged, seller } = linkMessages[language];
  const text = damaged.text(isolated(merchantName ?? seller));
  return { ...notice({ status: 400 }, language, damaged.title, text), brandColor, embed: embedOf(found) };
}

/** Each refusal that a buyer can run into without having done anything wrong. */
function explain(error: AppError, found: PublicLink | undefined, language: Language): Page | undefined {
  const { notFound, closed, held, refused, seller } = linkMessages[language];
  const merchant = isolated(found?.merchantName ?? seller);
  if (error.reason === 'link_held') return notice(error, language, held.title, held.text, held.back);
  switch (error.code) {
    case 'NOT_FOUND':
      return notice(error, language, notFound.title, notFound.text);
    case 'PAYMENT_LINK_INACTIVE':
      return notice(error, language, closed.title, closed.text(merchant));
    case 'MERCHANT_NOT_VERIFIED':
    case 'PROJECT_VOLUME_LIMIT_EXCEEDED':
    case 'INVALID_STATE':
      return notice(error, language, refused.title, refused.text(merchant), refused.back);
    default:
      return undefined;
  }
}

function notice(
  { status }: { status: number },
  language: Language,
  title: string,
  text: string,
  again?: string,
): Page {
  return {
    language,
    title,
    status,
    isNotice: true,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
<p>${text}</p>
${again && html`<p><a class="button" href="">${again}</a></p>`}
</section>`,
  };
}

/** A name written the other way round leaves the sentence around it alone. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
