import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import type { Language } from '../../platform/lib/language.ts';
import type { Page } from '../parts/page.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import type { Claim } from './claim-form.ts';
import { isOpen } from './payment-view.ts';
import { type CheckoutParts, readPayment } from './read-payment.ts';
import { stagePanel } from './stage-panel.ts';
import { sandboxBanner, testWalletPanel } from './test-wallet-panel.ts';

export async function requireIntent({ db }: CheckoutParts, id: string): Promise<Intent> {
  const intent = isUuid(id) ? await findIntentAnywhere(db, id.toLowerCase()) : undefined;
  if (!intent) throw new AppError('NOT_FOUND');
  return intent;
}

/** A single request for money without a checkout. What it is for is between the shop and who still has to pay. */
export async function intentPage(
  parts: CheckoutParts,
  intent: Intent,
  language: Language,
  typed: { claim: Claim; isAmountRefused: boolean },
): Promise<Page> {
  const payment = await readPayment(parts, intent);
  const path = `/intents/${intent.id}`;
  const { network, mint } = parts;
  const place = { language, path, network, mint, publicUrl: parts.publicUrl() };
  const { title, panel } = stagePanel(payment, place, typed);
  const { merchant, brandColor, logoFile } = payment;
  const isSandbox = network === 'sandbox';
  return {
    language,
    title: `${title} · ${merchant}`,
    brandColor,
    announce: title,
    live: { url: `${path}/live`, version: payment.version },
    banner: isSandbox ? sandboxBanner(payment, language) : undefined,
    body: html`<header class="intent-head">
${sellerSign(merchant, logoFile)}
<h1 class="amount"><bdi dir="ltr">${formatUsd(intent.expectedAmountCents, language)}</bdi></h1>
${isOpen(payment.view) && intent.orderId !== null && html`<p class="muted"><bdi>${intent.orderId}</bdi></p>`}
</header>
<section class="card stack panel">${panel}</section>
${isSandbox && testWalletPanel(payment, place)}`,
  };
}
