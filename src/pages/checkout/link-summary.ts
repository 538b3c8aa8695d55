import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { amountOfLines } from '../../billing/invoices/invoice.ts';
import { presentTaxes } from '../../billing/invoices/present.ts';
import type { PublicLink } from '../../billing/payment-links/public-link-cache.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatCount, formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { formatEvery } from '../parts/interval.ts';
import { productImage } from '../parts/product-image.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { taxText } from '../parts/tax-text.ts';
import { describeTrial } from '../parts/trial.ts';
import { linkMessages } from './messages/link/languages.ts';

/** Number of characters that fit a phone in large print. */
const LONG_AMOUNT = 14;

/** Summary of the sale: seller, item and price, before the buyer has to enter anything. */
export function linkSummary(
  { merchantName, logoFile, link, price, lines }: PublicLink,
  reference: string | undefined,
  language: Language,
): Html {
  const text = linkMessages[language];
  const amount = formatUsd(amountOfLines(lines), language);
  const taxes = presentTaxes(lines)
    .filter(({ percent }) => percent > 0)
    .map((tax) => taxText({ ...tax, behavior: 'inclusive' }, language));
  return html`
${merchantName !== null && sellerSign(merchantName, logoFile)}
${productImage(price.productImageFile, 'large')}
<div class="link-product">
<h1><bdi dir="auto">${price.productName}</bdi></h1>
${price.name !== null && html`<p class="muted"><bdi dir="auto">${price.name}</bdi></p>`}
</div>
${
  link.openAmount
    ? html`<p class="link-price">${text.open}</p>`
    : html`<p class="link-price"><bdi class="amount${amount.length > LONG_AMOUNT && ' long'}" dir="ltr">${amount}</bdi>${everyOf(price, language)}</p>`
}
${price.trialDays !== null && html`<p class="link-trial">${describeTrial(price.trialDays, { ...price, unitAmountCents: amountOfLines(lines) }, 1n, language)}</p>`}
${!link.openAmount && taxes.length > 0 && html`<p class="muted small">${taxes.map((tax) => html`<bdi>${tax}</bdi>`)}</p>`}
${price.productDescription !== null && html`<p class="link-description muted" dir="auto">${price.productDescription}</p>`}
${facts(price, reference, language)}
${price.billingMode === 'subscription' && html`<p class="notice small">${text.renews}</p>`}`;
}

function everyOf({ recurringInterval, recurringIntervalCount }: CatalogPrice, language: Language) {
  if (recurringInterval === null) return undefined;
  return html` <span class="link-every muted">${formatEvery(recurringInterval, recurringIntervalCount!, language)}</span>`;
}

function facts({ creditAmount }: CatalogPrice, reference: string | undefined, language: Language) {
  if (creditAmount === null && reference === undefined) return undefined;
  const text = linkMessages[language];
  return html`<dl class="link-facts">
${creditAmount !== null && html`<div><dt>${text.credits}</dt><dd class="amount">${formatCount(creditAmount, language)}</dd></div>`}
${reference !== undefined && html`<div><dt>${text.reference}</dt><dd dir="ltr">${reference}</dd></div>`}
</dl>`;
}
