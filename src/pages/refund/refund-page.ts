import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { listRefundTransfers } from '../../payments/refunds/check-queries.ts';
import { proofMessage, provablePayer } from '../../payments/refunds/claim.ts';
import type { PublicRefundParts } from '../../payments/refunds/public-refund.ts';
import { type Refund, refundNumber } from '../../payments/refunds/refund.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { formatMoment, formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { formatDay } from '../parts/format.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import type { Page } from '../parts/page.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { transactionLink } from '../parts/transaction-link.ts';
import { addressForm, type FormPlace, type Typed } from './address-form.ts';
import { refundMessages } from './messages/languages.ts';

export interface RefundPageParts extends PublicRefundParts {
  network: FormPlace['network'];
}

interface Shown {
  refund: Refund;
  merchant: string;
  state: State;
  signature: string | null;
  place: FormPlace;
  typed: Typed;
}

/** Page for the holder of a claim link: the amount, the merchant, the address, and the state. */
export async function refundPage(
  parts: RefundPageParts,
  refund: Refund,
  { token, language, typed }: { token: string; language: Language; typed: Typed },
): Promise<Page> {
  const { db, network, publicUrl } = parts;
  const { merchantId, projectId } = refund;
  const payer = provablePayer(refund);
  const [brand, transfers] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    listRefundTransfers(db, refund),
  ]);
  const merchant = brand.name ?? new URL(publicUrl()).host;
  const state = stateOf(refund, parts.clock.now());
  const text = refundMessages[language];
  const title = typed.problem ? text.form.problem : text[state].title;
  const proof = payer === null ? null : proofMessage(refund, payer, publicUrl());
  const place = { language, network, token, payer, proofMessage: proof };
  const signature = refund.txSignature ?? transfers.at(-1)?.signature ?? null;
  return {
    language,
    title: `${title} · ${merchant}`,
    status: typed.problem === undefined ? 200 : typed.problem === 'unavailable' ? 503 : 400,
    wide: true,
    brandColor: brand.brandColor,
    announce: title,
    live: { url: `/refunds/${token}/live`, version: `${refund.status}.${refund.sequence}` },
    banner:
      network === 'sandbox' ? html`<p class="banner">${commonMessages[language].sandbox}</p>` : undefined,
    body: html`<div class="checkout">
<section class="summary" aria-label="${text.head}">
${sellerSign(merchant, brand.logoFile)}
<p class="muted">${text.head}</p>
<h1 class="amount"><bdi dir="ltr">${formatUsd(refund.amountCents, language)}</bdi></h1>
<p class="muted small">${text.number} <bdi dir="ltr">${refundNumber(refund.number)}</bdi></p>
</section>
<section class="card stack panel">${panel({ refund, merchant, state, signature, place, typed })}</section>
</div>`,
  };
}

type State = 'asking' | 'awaitingApproval' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';

function stateOf({ status, address, expiresAt }: Refund, now: Date): State {
  if (status === 'ready') return expiresAt <= now ? 'expired' : 'ready';
  if (status !== 'awaiting_address') return status;
  if (expiresAt <= now) return 'expired';
  return address === null ? 'asking' : 'awaitingApproval';
}

const DONE = html`<div class="sign good" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="M5 12.500l4.500 4.500L19 7.500"/></svg></div>`;

/** Signs of the states. One that may take days has no spinning wheel. */
const SIGNS: Record<State, Html | undefined> = {
  asking: undefined,
  awaitingApproval: DONE,
  ready: undefined,
  processing: html`<div class="sign busy" aria-hidden="true"></div>`,
  succeeded: DONE,
  canceled: html`<div class="sign stop" aria-hidden="true"></div>`,
  expired: html`<div class="sign stop" aria-hidden="true"></div>`,
};

function panel({ refund, merchant, state, signature, place, typed }: Shown): Html {
  const { language, network } = place;
  const text = refundMessages[language];
  const sent = baseUnitsToCents(refund.sentBaseUnits);
  const isOpen = state === 'asking' || state === 'awaitingApproval';
  const isPart = sent > 0n && state !== 'succeeded';
  return html`${SIGNS[state]}
<h2${state !== 'asking' && html` class="middle"`}>${text[state].title}</h2>
<p${state !== 'asking' && html` class="middle"`}>${text[state].text(isolated(merchant))}</p>
${isPart && html`<p class="notice">${text.part(formatUsd(sent, language))}</p>`}
<dl class="payment-facts">
${refund.address !== null && html`<div><dt>${text.address}</dt><dd><code dir="ltr">${refund.address}</code></dd></div>`}
${signature !== null && html`<div><dt>${text.transaction}</dt><dd>${transactionLink(signature, network)} ${copyButton(language, signature)}</dd></div>`}
${refund.succeededAt !== null && html`<div><dt>${text.sentAt}</dt><dd>${formatMoment(refund.succeededAt, language)}</dd></div>`}
${isOpen && html`<div><dt>${text.validUntil}</dt><dd>${formatDay(refund.expiresAt, language)}</dd></div>`}
</dl>
${state === 'asking' && addressForm(place, typed)}
${state === 'awaitingApproval' && html`<details id="change"${typed.problem && html` open`}><summary>${text.form.change}</summary><div class="stack">${addressForm(place, typed)}</div></details>`}`;
}

/** Away without scripts, which it needs. Copied, the signature is whole. */
function copyButton(language: Language, signature: string): Html {
  const text = refundMessages[language];
  return html`<button type="button" class="small needs-script" data-copy="${signature}" data-copied="${text.copied}"><span data-label>${text.copy}</span><span class="unseen"> ${text.transaction}</span></button>`;
}

/** A name written the other way round leaves the sentence around it alone. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
