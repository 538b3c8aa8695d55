import type { ArrivedToken } from '../../payments/transfers/exception-queries.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatToken, formatUsd, fromLeftToRight, shortAddress } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { checkoutMessages } from './messages/languages.ts';
import { isAsking, isOpen } from './payment-view.ts';
import type { Payment } from './read-payment.ts';

/**
 * Attempts that did not pay, told as what they were: another token has arrived and is the shop's to send back, money that went
 * elsewhere is not here, and only what failed on chain has failed.
 */
export function attemptNotices(payment: Payment, language: Language): Html[] {
  const { otherTokens, failure, view } = payment;
  const text = checkoutMessages[language].attempt;
  const told = [...arrived(payment, language)];
  if (!isOpen(view) && !isAsking(view)) return told;
  if (failure === 'elsewhere') told.push(html`<p class="notice warn">${text.elsewhere}</p>`);
  // Another token has its own notice above, unless the shop has decided about it.
  const isUnexplained = view.hasFailed && failure === null && otherTokens.length === 0;
  if (failure === 'failed_on_chain' || isUnexplained)
    told.push(html`<p class="notice warn">${text.failed}</p>`);
  return told;
}

function arrived(payment: Payment, language: Language): Html[] {
  const { otherTokens, merchant, supportEmail, view } = payment;
  if (otherTokens.length === 0) return [];
  const text = checkoutMessages[language].attempt;
  const due = isAsking(view) && text.due(formatUsd(view.missingCents, language));
  const write =
    supportEmail &&
    html` <a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}"><bdi>${supportEmail}</bdi></a>`;
  const ask = html`${write ? text.askAt(merchant) : text.ask(merchant)}${write}`;
  const tokens = otherTokens.map((token) => html`${text.arrived(nameToken(token, language), merchant)} `);
  return [
    html`<p class="notice warn" role="status">${tokens}${ask}${due && html` <strong>${due}</strong>`}</p>`,
  ];
}

/** `56 of an unknown token (4KcX…8c9H)`. Anybody can give a token any name, so only its address says which it is. */
export function nameToken(token: ArrivedToken, language: Language): string {
  const { unknownToken } = checkoutMessages[language].attempt;
  const mint = shortAddress(token.mint);
  return unknownToken(formatToken(token, language), language === 'ar' ? fromLeftToRight(mint) : mint);
}
