import { readBrand } from '../../accounts/merchants/read-brand.ts';
import { findTerminalAnywhere } from '../../accounts/terminals/queries.ts';
import type { Terminal } from '../../accounts/terminals/terminal.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatUsd, labelled } from '../../platform/lib/format.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import type { Language } from '../../platform/lib/language.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import type { Page } from '../parts/page.ts';
import { qrCode } from '../parts/qr-code.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { attemptNotices } from './attempt-notices.ts';
import { checkoutMessages } from './messages/languages.ts';
import { timeLeft } from './pay-panel.ts';
import { type CheckoutParts, type Payment, readPayment } from './read-payment.ts';
import { stagePanel } from './stage-panel.ts';

export async function requireTerminal({ db }: CheckoutParts, id: string): Promise<Terminal> {
  const terminal = isUuid(id) ? await findTerminalAnywhere(db, id.toLowerCase()) : undefined;
  if (!terminal) throw new AppError('NOT_FOUND');
  return terminal;
}

/** The display on the counter: the open intent of this terminal, large, and automatically the next one. */
export async function terminalPage(
  parts: CheckoutParts,
  terminal: Terminal,
  language: Language,
): Promise<Page> {
  const { db, live, network } = parts;
  const [{ name, brandColor, logoFile }, version, intent] = await Promise.all([
    readBrand(db, terminal.merchantId),
    live.read({ kind: 'terminal', id: terminal.id }),
    terminal.currentIntentId === null ? undefined : findIntentAnywhere(db, terminal.currentIntentId),
  ]);
  const payment = intent && terminal.isActive ? await readPayment(parts, intent) : undefined;
  const { title, panel } = shown(parts, terminal, payment, language);
  const merchant = name ?? new URL(parts.publicUrl()).host;
  return {
    language,
    title: `${terminal.name ?? merchant} · ${title}`,
    brandColor,
    announce: title,
    live: { url: `/terminals/${terminal.id}/live`, version: version! },
    banner:
      network === 'sandbox' ? html`<p class="banner">${commonMessages[language].sandbox}</p>` : undefined,
    body: html`<div class="terminal">
<header>${sellerSign(merchant, logoFile)}${terminal.name !== null && html`<p class="muted"><bdi>${terminal.name}</bdi></p>`}</header>
<section class="card stack panel">${panel}</section>
</div>`,
  };
}

function shown(
  parts: CheckoutParts,
  terminal: Terminal,
  payment: Payment | undefined,
  language: Language,
): { title: string; panel: Html } {
  const text = checkoutMessages[language].terminal;
  if (!terminal.isActive)
    return { title: text.inactive, panel: html`<h1 class="middle">${text.inactive}</h1>` };
  const stage = payment?.view.stage;
  if (!payment || stage === 'canceled' || stage === 'expired' || stage === 'over') return idle(language);
  const thanksMs = stage === 'paid' ? thanksLeftMs(payment) : undefined;
  if (thanksMs === 0) return idle(language);
  if (stage === 'waiting' || stage === 'underpaid') return asking(payment, language);
  const { network, mint } = parts;
  const place = { language, path: `/terminals/${terminal.id}`, network, mint, publicUrl: parts.publicUrl() };
  const told = stagePanel(payment, place);
  const amount = html`<h1 class="amount middle huge"><bdi dir="ltr">${formatUsd(payment.view.expectedCents, language)}</bdi></h1>`;
  const again = thanksMs && html`<span hidden data-again-ms="${thanksMs}"></span>`;
  return { title: told.title, panel: html`${amount}${told.panel}${again}` };
}

/** Time for which a payment stays on the display: the next customer should not see the previous one's purchase. */
const THANKS_MS = 60_000;

function thanksLeftMs({ intent, now }: Payment): number {
  return Math.max(0, intent.succeededAt!.getTime() + THANKS_MS - now.getTime());
}

function idle(language: Language): { title: string; panel: Html } {
  const text = checkoutMessages[language].terminal;
  const panel = html`<h1 class="middle">${text.idle}</h1><p class="middle muted">${text.idleText}</p>`;
  return { title: text.next, panel };
}

/** The customer is in front of it with a phone: a large amount, a large code, nothing else. */
function asking(payment: Payment, language: Language): { title: string; panel: Html } {
  const messages = checkoutMessages[language];
  const { view } = payment;
  const missing = formatUsd(view.missingCents, language);
  const title =
    view.stage === 'underpaid'
      ? messages.underpaid.title(missing)
      : labelled(messages.waiting.amount, missing, language);
  const panel = html`
<h1 class="amount middle huge"><bdi dir="ltr">${missing}</bdi></h1>
${view.stage === 'underpaid' && html`<p class="notice warn">${messages.underpaid.text(formatUsd(view.receivedCents, language), formatUsd(view.expectedCents, language))}</p>`}
${attemptNotices(payment, language)}
${payment.paymentUrl ? qrCode(payment.paymentUrl, messages.waiting.scanLabel) : html`<p class="notice warn">${messages.waiting.tooLarge}</p>`}
<p class="middle">${messages.waiting.scan}</p>
${timeLeft(payment, language)}`;
  return { title, panel };
}
