import { readPageSettings } from '../../accounts/projects/page-settings.ts';
import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { findPrice, listPricesByRef } from '../../billing/catalog/queries.ts';
import { findSession } from '../../billing/checkout-sessions/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Invoice, InvoiceLine } from '../../billing/invoices/invoice.ts';
import { isRenewal } from '../../billing/invoices/payable.ts';
import { presentTaxes } from '../../billing/invoices/present.ts';
import { findInvoice } from '../../billing/invoices/queries.ts';
import { taxNotes } from '../../billing/pricing/tax-notes.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { closeOfArchived } from '../../payments/transfers/close-archived.ts';
import { closeWithoutCredit } from '../../payments/transfers/close-without-credit.ts';
import { holdDiscount } from '../../payments/transfers/hold-discount.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatCount, formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { describeLine } from '../parts/describe-line.ts';
import { formatDay } from '../parts/format.ts';
import type { EmbedStatus, Page } from '../parts/page.ts';
import { productImage } from '../parts/product-image.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { taxText } from '../parts/tax-text.ts';
import type { Claim } from './claim-form.ts';
import { type CodeProblem, codeForm } from './code-form.ts';
import { describeRenewal, findPageDiscount, keptDiscount, type PageDiscount } from './describe-renewal.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { PanelPlace } from './panel-place.ts';
import type { Stage } from './payment-view.ts';
import { findSessionPlace, type SessionPlace } from './queries.ts';
import { type CheckoutParts, type Payment, readPayment } from './read-payment.ts';
import { stagePanel, type Ways } from './stage-panel.ts';
import { sandboxBanner, testWalletPanel } from './test-wallet-panel.ts';
import { type TipProblem, tipForm } from './tip-form.ts';
import { trialPanel } from './trial-panel.ts';

export interface FoundSession extends SessionPlace {
  session: Session;
  path: string;
}

/**
 * Finds a session by the token in its URL. Its holder can look and pay, and nothing else. While somebody looks, its
 * discount is held.
 */
export async function requireSession(
  { db, clock }: Pick<CheckoutParts, 'db' | 'clock'>,
  token: string,
): Promise<FoundSession> {
  const place = await findSessionPlace(db, token);
  if (!place) throw new AppError('NOT_FOUND');
  const ref = { merchantId: place.merchantId, id: place.sessionId };
  const seen = (await findSession(db, ref))!;
  const now = clock.now();
  const isClosed =
    (await closeOfArchived(db, seen, now)) ||
    (await holdDiscount(db, seen, now)) ||
    (await closeWithoutCredit(db, seen, now));
  const session = isClosed ? (await findSession(db, ref))! : seen;
  return { ...place, session, path: `/checkout/${token}` };
}

export interface Payer {
  claim: Claim;
  isAmountRefused: boolean;
  codeProblem: CodeProblem | undefined;
  tipProblem: TipProblem | undefined;
  /** The paying customer, if they are signed in to their portal. */
  isVisitor: boolean;
  /** Path that begins the trial, for a customer who has opened the mailed link. */
  startPath?: string;
}

export async function checkoutPage(
  parts: CheckoutParts,
  found: FoundSession,
  language: Language,
  payer: Payer,
): Promise<Page> {
  const { session, merchantId, path } = found;
  const intent = (await findIntentAnywhere(parts.db, session.paymentIntentId))!;
  const invoice = (await findInvoice(parts.db, { merchantId, id: session.invoiceId }))!;
  const terms = { isClosed: session.status === 'canceled', isAskedLate: isRenewal(invoice) };
  const [read, price, kept, settings, images] = await Promise.all([
    readPayment(parts, intent, terms),
    session.priceId === null ? undefined : findPrice(parts.db, { merchantId, id: session.priceId }),
    findPageDiscount(parts.db, session),
    readPageSettings(parts.db, { merchantId, id: session.projectId }),
    listImages(parts.db, invoice),
  ]);
  const payment = invoice.billingReason === 'manual' ? { ...read, dueAt: invoice.dueAt! } : read;
  const { network, mint } = parts;
  const place: PanelPlace = { language, path, network, mint, publicUrl: parts.publicUrl() };
  const messages = checkoutMessages[language];
  const ways = waysOf(found, payment, payer, language);
  const trial = trialPanel(session, payer.startPath, language, payment.now);
  const { title, panel } =
    trial ?? stagePanel(payment, place, { ...ways, trialUntil: startedTrial(session, invoice) });
  const { merchant, brandColor } = payment;
  const isSandbox = network === 'sandbox';
  return {
    language,
    title: `${title} · ${merchant}`,
    wide: true,
    brandColor,
    seller: settings,
    announce: title,
    embed: {
      origins: settings.embedOrigins,
      sessionId: session.id,
      status: EMBED_STATUS[payment.view.stage],
    },
    live: { url: `${path}/live`, version: payment.version },
    banner: isSandbox ? sandboxBanner(payment, language) : undefined,
    body: html`<div class="checkout">
<section class="summary" aria-label="${messages.total}">${summary(payment, { session, invoice, price, kept, images }, language)}${codeForm(session, payment.view, payer.codeProblem, `${path}/promotion-code?lang=${language}`, messages)}${tipForm(session, payment.view, payer.tipProblem, { action: `${path}/tip?lang=${language}`, language }, messages)}</section>
<div>
<section class="card stack panel">${panel}</section>
${isSandbox && !trial && testWalletPanel(payment, place)}
</div>
</div>`,
  };
}

/** Status of a stage for an embedding page, in the words that sessions have in the API. */
const EMBED_STATUS: Record<Stage, EmbedStatus> = {
  waiting: 'open',
  late: 'open',
  underpaid: 'open',
  checking: 'processing',
  confirming: 'processing',
  paid: 'complete',
  expired: 'expired',
  over: 'expired',
  canceled: 'canceled',
};

/** Returns the end of a trial, if starting it was all there was to do. */
function startedTrial({ trialDays, amountCents }: Session, { periodEnd }: Invoice): Date | undefined {
  return trialDays !== null && amountCents === 0n ? (periodEnd ?? undefined) : undefined;
}

function waysOf(
  { session, path, linkToken }: FoundSession,
  { view }: Payment,
  { claim, isAmountRefused, isVisitor }: Payer,
  language: Language,
): Ways {
  return {
    backUrl: session.successUrl && withSessionId(session.successUrl, session.id),
    cancelUrl: session.cancelUrl,
    receiptUrl: view.stage === 'paid' ? `${path}/receipt.pdf?lang=${language}` : undefined,
    againUrl: linkToken ? linkUrl(linkToken, session.clientReferenceId, language) : undefined,
    accountUrl: isVisitor ? `/portal?${new URLSearchParams({ lang: language })}` : undefined,
    claim,
    isAmountRefused,
  };
}

/** The cart the shop sent the buyer for stays the same when they begin again. */
function linkUrl(linkToken: string, clientReferenceId: string | null, language: Language): string {
  const query = new URLSearchParams({ lang: language });
  if (clientReferenceId !== null) query.set('client_reference_id', clientReferenceId);
  return `/pay/${linkToken}?${query}`;
}

/** The return link says which checkout the buyer comes from; that it was paid, the shop learns from the webhook. */
function withSessionId(successUrl: string, sessionId: string): string {
  const url = new URL(successUrl);
  url.searchParams.set('session_id', sessionId);
  return url.href;
}

interface Bought {
  session: Session;
  invoice: Invoice;
  price: CatalogPrice | undefined;
  kept: PageDiscount | undefined;
  images: Images;
}

/** The images of products, by the id of a price. */
type Images = ReadonlyMap<string | null, string | null>;

async function listImages(db: Queryable, { merchantId, lines }: Invoice): Promise<Images> {
  const ids = new Set(lines.flatMap(({ priceId }) => priceId ?? []));
  const prices = await listPricesByRef(
    db,
    [...ids].map((id) => ({ merchantId, id })),
  );
  return new Map(prices.map(({ id, productImageFile }) => [id, productImageFile]));
}

function summary(
  { merchant, logoFile }: Payment,
  { session, invoice, price, kept, images }: Bought,
  language: Language,
): Html {
  const text = checkoutMessages[language];
  const taxes = invoice.lines.map(({ tax }) => tax);
  const notes = taxNotes(taxes, language);
  const names = [invoice.number, session.merchantReference].filter((name) => name !== null);
  const isOne = isOneAmount(session, invoice);
  return html`
${sellerSign(merchant, logoFile)}
<h1 class="amount"><bdi dir="ltr">${formatUsd(session.amountCents, language)}</bdi></h1>
<ul class="bought">${invoice.lines.map((line) => lineOf(invoice, line, { images, hasAmount: !isOne }, language))}</ul>
${session.creditAmount !== null && html`<p class="muted">${text.credits(formatCount(session.creditAmount, language))}</p>`}
<dl class="totals">
${invoice.discount && invoice.discountCents > 0n && html`<div><dt>${text.discount} <bdi>${invoice.discount.promotionCode ?? invoice.discount.name}</bdi></dt><dd class="amount"><bdi dir="ltr">${formatUsd(-invoice.discountCents, language)}</bdi></dd></div>`}
${taxRows(invoice, 'exclusive', language)}
${invoice.creditAppliedCents > 0n && html`<div><dt>${text.credit}</dt><dd class="amount"><bdi dir="ltr">${formatUsd(-invoice.creditAppliedCents, language)}</bdi></dd></div>`}
${!isOne && html`<div class="total"><dt>${text.total}</dt><dd class="amount"><bdi dir="ltr">${formatUsd(invoice.totalCents, language)}</bdi></dd></div>`}
${taxRows(invoice, 'inclusive', language)}
</dl>
${notes.map((note) => html`<p class="muted small">${note}</p>`)}
${invoice.memo !== null && html`<div class="memo"><p class="muted small">${text.note}</p><p class="lines" dir="auto">${invoice.memo}</p></div>`}
${kept && session.trialDays !== null && keptDiscount(session, text.discount)}
${price?.recurringInterval && html`<p class="muted small">${describeRenewal(session, price, kept, language)} ${text.renews}</p>`}
${names.length > 0 && html`<p class="muted small">${names.map((name, i) => html`${i > 0 && ' · '}<bdi>${name}</bdi>`)}</p>`}`;
}

/**
 * Rows of taxes: those added to the prices come before the total, those contained in them after it. A rate of zero is
 * in the notes, and a tax of zero has no row.
 */
function taxRows(invoice: Invoice, behavior: 'inclusive' | 'exclusive', language: Language): Html[] {
  const taxes = presentTaxes(invoice.lines).filter((tax) => tax.taxCents !== 0n && tax.behavior === behavior);
  return taxes.map(
    (tax) =>
      html`<div class="tax"><dt><bdi>${taxText(tax, language)}</bdi></dt><dd class="amount"><bdi dir="ltr">${formatUsd(tax.taxCents, language)}</bdi></dd></div>`,
  );
}

/** One line that costs what is due, above it already: nobody reads an amount twice. */
function isOneAmount({ amountCents }: Session, { lines, totalCents }: Invoice): boolean {
  return lines.length === 1 && lines[0]!.amountCents === totalCents && totalCents === amountCents;
}

function lineOf(
  invoice: Invoice,
  line: InvoiceLine,
  { images, hasAmount }: { images: Images; hasAmount: boolean },
  language: Language,
): Html {
  const text = checkoutMessages[language];
  const { periodStart, periodEnd } = line;
  return html`<li>
${productImage(images.get(line.priceId), 'small')}<span class="what">${line.quantity !== 1n && html`<span class="muted">${text.quantity(formatCount(line.quantity, language))}</span> `}${describeLine(invoice, line, language)}${
    periodStart &&
    periodEnd &&
    html`<span class="muted small period">${text.period(formatDay(periodStart, language), formatDay(periodEnd, language))}</span>`
  }</span>
${hasAmount && html`<bdi class="amount" dir="ltr">${formatUsd(line.amountCents, language)}</bdi>`}
</li>`;
}
