import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { commonMessages } from '../parts/messages/languages.ts';
import { TEST_PAYMENTS } from './make-test-payment.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { PanelPlace } from './panel-place.ts';
import type { Payment } from './read-payment.ts';

/** The sandbox's own wallet, one button for each way a payment can go; none where nothing is due. */
export function testWalletPanel(payment: Payment, { language, path }: PanelPlace): Html | undefined {
  if (payment.dueBaseUnits <= 0n) return undefined;
  const text = checkoutMessages[language].testWallet;
  const hasAmount = payment.reservedBaseUnits !== undefined;
  const kinds = TEST_PAYMENTS.filter((kind) => kind !== 'reserved_amount' || hasAmount);
  return html`<section class="card test-wallet" aria-labelledby="test-wallet">
<h2 id="test-wallet">${text.title}</h2>
<p class="muted small">${text.text} ${text.lateHint}</p>
<form class="actions" method="post" action="${path}/test-payment?lang=${language}">
${kinds.map((kind) => html`<button class="small${kind === 'exact' ? ' primary' : ''}" name="kind" value="${kind}">${text[kind]}</button>`)}
</form>
</section>`;
}

/** Says that nothing here is real, and where there is something to pay, what to pay it with. */
export function sandboxBanner({ dueBaseUnits }: Payment, language: Language): Html {
  const hint = dueBaseUnits > 0n && checkoutMessages[language].sandboxHint;
  return html`<p class="banner">${commonMessages[language].sandbox} ${hint}</p>`;
}
