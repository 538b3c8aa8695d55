import { type Html, html } from '../../platform/http/html.ts';
import { formatMoment, formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { coinMark, networkMark } from '../parts/marks.ts';
import { transactionLink } from '../parts/transaction-link.ts';
import { attemptNotices } from './attempt-notices.ts';
import { type Claim, claimForm } from './claim-form.ts';
import { copyButton } from './copy-row.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { PanelPlace } from './panel-place.ts';
import { amountDue, payPanel, timeDue } from './pay-panel.ts';
import type { Payment } from './read-payment.ts';

/** Options that only some pages have. */
export interface Ways {
  /** URL to which a payer can go back; only ever the one that the session has stored. */
  backUrl?: string | null;
  cancelUrl?: string | null;
  receiptUrl?: string | undefined;
  /** Nothing was paid: a trial has started, and is free until then. */
  trialUntil?: Date | undefined;
  againUrl?: string | undefined;
  /** Address of the portal, for a customer who is signed in to it. */
  accountUrl?: string | undefined;
  claim?: Claim;
  /** The payer has asked for an amount of their own, and there was none. */
  isAmountRefused?: boolean;
}

export interface StagePanel {
  /** The name of the stage, also announced to screen readers. */
  title: string;
  panel: Html;
}

/** One screen for each stage of a payment: what has happened, what it means, what to do next. */
export function stagePanel(payment: Payment, place: PanelPlace, ways: Ways = {}): StagePanel {
  const { title, panel } = stageOf(payment, place, ways);
  const notices = attemptNotices(payment, place.language);
  const whole = html`${notices}${panel}${payment.view.stage !== 'paid' && toAccount(place, ways)}`;
  if (!payment.isClaimed) return { title, panel: whole };
  const { claim } = checkoutMessages[place.language];
  const found = html`<p class="notice good" role="status">${claim.found(payment.merchant)}</p>`;
  return { title: claim.foundTitle, panel: html`${found}${whole}` };
}

function toAccount({ language }: PanelPlace, { accountUrl }: Ways): Html | undefined {
  if (!accountUrl) return undefined;
  return html`<p class="middle"><a href="${accountUrl}">${checkoutMessages[language].toAccount}</a></p>`;
}

function stageOf(payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const { view } = payment;
  switch (view.stage) {
    case 'waiting':
    case 'late':
      return waiting(payment, place, ways);
    case 'underpaid':
      return underpaid(payment, place, ways);
    case 'confirming':
      return confirming(payment, place);
    case 'paid':
      return paid(payment, place, ways);
    case 'expired':
      return expired(payment, place, ways);
    case 'checking':
      return plain('checking', place, 'pause', claimForm(place, ways.claim));
    default:
      return ended(view.stage, payment, place, ways);
  }
}

function waiting(payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const messages = checkoutMessages[place.language];
  const text = messages.waiting;
  const panel = html`
<h2 class="pay-title">${coinMark}${networkMark}<span>${text.title}</span></h2>
${payment.view.stage === 'late' && html`<p class="notice warn">${text.late(formatMoment(payment.view.payableUntil, place.language))}</p>`}
${timeDue(payment, place.language)}
${payPanel(payment, place, ways.isAmountRefused)}
${claimForm(place, ways.claim)}
${ways.cancelUrl && html`<p><a href="${ways.cancelUrl}" rel="noreferrer">${messages.cancel}</a></p>`}`;
  return { title: text.title, panel };
}

function underpaid(payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const { language } = place;
  const text = checkoutMessages[language].underpaid;
  const { view } = payment;
  const title = text.title(formatUsd(view.missingCents, language));
  const panel = html`
<h2>${title}</h2>
<p class="notice warn">${text.text(formatUsd(view.receivedCents, language), formatUsd(view.expectedCents, language))}${view.isLate && html` ${text.late(formatMoment(view.payableUntil, language))}`}</p>
${amountDue(payment, language)}
${payPanel(payment, place, ways.isAmountRefused)}
${claimForm(place, ways.claim)}`;
  return { title, panel };
}

function confirming({ view }: Payment, { language }: PanelPlace): StagePanel {
  const text = checkoutMessages[language].confirming;
  const part =
    view.missingCents > 0n &&
    text.part(formatUsd(view.seenCents, language), formatUsd(view.missingCents, language));
  const panel = html`
<div class="sign busy" aria-hidden="true"></div>
<h2 class="middle">${text.title}</h2>
<p class="middle">${text.text}</p>
${part && html`<p class="notice warn">${part}</p>`}`;
  return { title: text.title, panel };
}

function paid(payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const { language } = place;
  const messages = checkoutMessages[language];
  const text = messages.paid;
  const { view, signature, intent } = payment;
  const { merchant } = payment;
  const { trialUntil } = ways;
  const title = trialUntil ? text.trialTitle : text.title;
  const done = trialUntil
    ? text.trialText(formatMoment(trialUntil, language))
    : text.text(formatUsd(view.receivedCents, language), merchant);
  const panel = html`
<div class="sign good" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="M5 12.500l4.500 4.500L19 7.500"/></svg></div>
<h2 class="middle">${title}</h2>
<p class="middle">${done}</p>
${view.surplusCents > 0n && html`<p class="notice warn">${text.surplus(formatUsd(view.surplusCents, language), merchant)}</p>`}
<dl class="payment-facts">
${intent.succeededAt && !trialUntil && html`<div><dt>${text.paidAt}</dt><dd>${formatMoment(intent.succeededAt, language)}</dd></div>`}
${signature && html`<div><dt>${text.transaction}</dt><dd>${transaction(signature, place)}</dd></div>`}
</dl>
<div class="actions center">
${ways.backUrl && html`<a class="button primary" href="${ways.backUrl}" rel="noreferrer">${text.back(merchant)}</a>`}
${ways.accountUrl && html`<a class="button${!ways.backUrl && html` primary`}" href="${ways.accountUrl}">${messages.toAccount}</a>`}
${ways.receiptUrl && html`<a class="button" href="${ways.receiptUrl}">${text.receipt}</a>`}
</div>
${!ways.backUrl && !ways.accountUrl && html`<p class="middle muted">${text.close}</p>`}`;
  return { title, panel };
}

/** Copying copies all of it. */
function transaction(signature: string, { language, network }: PanelPlace): Html {
  return html`${transactionLink(signature, network)} ${copyButton(language, checkoutMessages[language].paid.transaction, signature)}`;
}

function expired(payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const { language } = place;
  const text = checkoutMessages[language].expired;
  const more = html`
<p>${text.alreadyPaid(formatMoment(payment.view.payableUntil, language))}</p>
<div class="actions">
${ways.againUrl && html`<a class="button primary" href="${ways.againUrl}">${text.again}</a>`}
</div>
${wayBack(payment, language, ways)}
${claimForm(place, ways.claim)}`;
  return plain('expired', place, 'stop', more);
}

/** Nothing more can be paid. What did arrive is said, with its transaction as the payer's proof. */
function ended(stage: 'over' | 'canceled', payment: Payment, place: PanelPlace, ways: Ways): StagePanel {
  const { language } = place;
  const { view, merchant, signature } = payment;
  const messages = checkoutMessages[language];
  const [received, expected] = [view.receivedCents, view.expectedCents].map((cents) =>
    formatUsd(cents, language),
  ) as [string, string];
  const arrived = html`
<p class="notice warn">${messages.partReceived(received, expected, merchant)}</p>
${signature && html`<dl class="payment-facts"><div><dt>${messages.paid.transaction}</dt><dd>${transaction(signature, place)}</dd></div></dl>`}`;
  return plain(
    stage,
    place,
    'stop',
    html`${view.receivedCents > 0n && arrived}${wayBack(payment, language, ways)}`,
  );
}

function plain(
  stage: 'checking' | 'expired' | 'over' | 'canceled',
  { language }: PanelPlace,
  sign: 'pause' | 'stop',
  more: Html | undefined,
): StagePanel {
  const { title, text } = checkoutMessages[language][stage];
  const panel = html`
<div class="sign ${sign === 'pause' ? 'busy' : 'stop'}" aria-hidden="true"></div>
<h2 class="middle">${title}</h2>
<p class="middle">${text}</p>
${more}`;
  return { title, panel };
}

function wayBack({ merchant }: Payment, language: Language, { cancelUrl }: Ways): Html | undefined {
  if (!cancelUrl) return undefined;
  const messages = checkoutMessages[language];
  return html`<p class="middle"><a href="${cancelUrl}" rel="noreferrer">${messages.backTo(merchant)}</a></p>`;
}
