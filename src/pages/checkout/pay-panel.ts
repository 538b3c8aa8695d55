import { toDecimal } from '../../chain/solana/pay-url.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { formatDay } from '../parts/format.ts';
import { walletMark } from '../parts/marks.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import { qrCode } from '../parts/qr-code.ts';
import { copyRow } from './copy-row.ts';
import { checkoutMessages } from './messages/languages.ts';
import { otherWallet } from './other-wallet.ts';
import type { PanelPlace } from './panel-place.ts';
import type { Payment } from './read-payment.ts';

const CHAINS = { mainnet: 'solana:mainnet', devnet: 'solana:devnet', sandbox: 'solana:localnet' } as const;

/** Names of the networks in wallets' settings. */
const NETWORKS = { mainnet: 'Solana Mainnet', devnet: 'Solana Devnet', sandbox: 'Solana localnet' } as const;

/** Every way to pay what is due, the easiest first: wallet apps, the wallets of this browser, a code to scan, or by hand. */
export function payPanel(payment: Payment, place: PanelPlace, isAmountRefused = false): Html {
  const text = checkoutMessages[place.language].waiting;
  if (!payment.paymentUrl) return html`<p class="notice warn">${text.tooLarge}</p>`;
  return html`
${walletLinks(payment.paymentUrl, place)}
${browserWallets(payment, place)}
<div class="scan">
<h3>${text.scan}</h3>
${qrCode(payment.paymentUrl, text.scanLabel)}
</div>
${following(place)}
${firstTime(place)}
${otherWallet(payment, place, isAmountRefused)}
${byHand(payment, place)}`;
}

/**
 * On a phone the wallet is another app: links to wallets come first. Each wallet has its own link, because phones
 * open `solana:` in whichever app claimed it.
 */
function walletLinks(paymentUrl: string, { language, path, publicUrl }: PanelPlace): Html {
  const text = checkoutMessages[language].waiting;
  const here = encodeURIComponent(publicUrl + path);
  const origin = encodeURIComponent(publicUrl);
  return html`<div class="wallet-apps">
<a class="button primary full" href="${paymentUrl}">${text.openWallet}</a>
<ul>${WALLET_APPS.map(
    ({ name, browse }) =>
      html`<li><a class="button full" rel="noreferrer" href="${browse}${here}?ref=${origin}">${walletMark(name)}${text.openIn(name)}</a></li>`,
  )}</ul>
</div>`;
}

function firstTime({ language }: PanelPlace): Html {
  const { title, usdc, text, get: getWallet } = checkoutMessages[language].waiting.noWallet;
  return html`<details class="no-wallet">
<summary>${title}</summary>
<p class="muted small">${usdc}</p>
<p class="muted small">${text}</p>
<ul>${WALLET_APPS.map(({ name, get }) => html`<li><a rel="noreferrer" href="${get}">${getWallet(name)}</a></li>`)}</ul>
</details>`;
}

/** Each opens our page inside the wallet, where it then finds itself among the wallets of the browser. */
const WALLET_APPS = [
  { name: 'Phantom', browse: 'https://phantom.app/ul/browse/', get: 'https://phantom.app/download' },
  { name: 'Solflare', browse: 'https://solflare.com/ul/v1/browse/', get: 'https://solflare.com/download' },
  { name: 'Backpack', browse: 'https://backpack.app/ul/v1/browse/', get: 'https://backpack.app/download' },
];

/** Filled by the script with what it finds; without scripts, or without wallets, it stays away. */
function browserWallets({ intent, feesPaid }: Payment, { language, network }: PanelPlace): Html {
  const text = checkoutMessages[language].waiting;
  const { errors } = commonMessages[language];
  const api = `/api/public/intents/${intent.id}`;
  return html`<div class="wallets" data-wallets hidden data-chain="${CHAINS[network]}" data-pay="${api}/pay" data-transaction="${api}/transaction" data-send="${api}/send" data-check="${api}/check" data-offer="${text.payWith}" data-connecting="${text.connecting}" data-approve="${text.approve}" data-own-fee="${text.ownFee}" data-sent="${text.sent}" data-refused="${text.refused}" data-silent="${text.silent}" data-fee-missing="${text.feeMissing}" data-money-missing="${text.moneyMissing}" data-other-network="${text.otherNetwork(NETWORKS[network])}" data-wallet-failed="${text.walletFailed}" data-not-taken="${text.notTaken}" data-too-many="${errors.tooMany.text}" data-unavailable="${errors.unavailable.text}" data-unsure="${text.unsure}">
<h3>${text.wallets}</h3>
${feesPaid === 'never' ? '' : html`<p class="muted small" data-no-sol hidden>${feesPaid === 'always' ? text.noSol : text.noSolLeft}</p>`}
<ul></ul>
<p data-progress hidden></p>
</div>`;
}

/** Note that the page updates automatically; without scripts there is a button. */
function following({ language, path }: PanelPlace): Html {
  const text = checkoutMessages[language].waiting;
  return html`<p class="following muted small needs-script"><span class="pulse" aria-hidden="true"></span>${text.live}</p>
<p class="without-script"><a class="button" href="${path}?lang=${language}">${text.refresh}</a></p>`;
}

function byHand(payment: Payment, { language, mint }: PanelPlace): Html {
  const text = checkoutMessages[language].waiting;
  const { intent } = payment;
  const amount = toDecimal(payment.dueBaseUnits);
  return html`<details id="by-hand">
<summary>${text.manual}</summary>
<p class="muted small">${text.manualHint}</p>
<dl class="by-hand">
${copyRow(language, text.sendExactly, amount, `${amount} USDC`)}
${copyRow(language, text.toAddress, intent.destinationAddress)}
${copyRow(language, text.reference, intent.referenceAddress)}
${copyRow(language, text.token, mint)}
</dl>
<p class="muted small">${text.referenceHint}</p>
</details>`;
}

/** Amount to pay, and the time that is left. */
export function amountDue(payment: Payment, language: Language): Html {
  const text = checkoutMessages[language].waiting;
  return html`<div class="due">
<p><span class="muted">${text.amount}</span> <strong class="amount"><bdi dir="ltr">${formatUsd(payment.view.missingCents, language)}</bdi></strong></p>
${timeLeft(payment, language)}
</div>`;
}

/** Time that is left; the amount is at the top of the page. */
export function timeDue(payment: Payment, language: Language): Html | undefined {
  const left = timeLeft(payment, language);
  return left && html`<div class="due">${left}</div>`;
}

/** The seconds are counted by the script; an invoice has its due date instead. */
export function timeLeft({ view, intent, now, dueAt }: Payment, language: Language): Html | undefined {
  if (view.isLate) return undefined;
  if (dueAt) {
    const { dueBy } = checkoutMessages[language].waiting;
    return html`<p class="left"><span class="muted">${dueBy}</span> <time datetime="${dueAt.toISOString()}">${formatDay(dueAt, language)}</time></p>`;
  }
  const until = intent.expiresAt.toISOString();
  return html`<p class="left"><span class="muted">${checkoutMessages[language].waiting.expiresIn}</span> <time role="timer" datetime="${until}" data-until="${until}" data-now="${now.toISOString()}">${until.slice(0, 16).replace('T', ' ')} UTC</time></p>`;
}
