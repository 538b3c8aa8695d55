import { toDecimal } from '../../chain/solana/pay-url.ts';
import { plainUrl } from '../../payments/reserved-amounts/plain-url.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { qrCode } from '../parts/qr-code.ts';
import { copyRow } from './copy-row.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { PanelPlace } from './panel-place.ts';
import type { Payment } from './read-payment.ts';

/** Name of the disclosure, to which the page returns after its form. */
export const OTHER_WALLET = 'other-wallet';

/** For exchanges and wallets that send neither reference nor memo: an amount of which every digit counts, once the payer asks for it. */
export function otherWallet(payment: Payment, place: PanelPlace, isRefused: boolean): Html | undefined {
  const { isReservable, reservedBaseUnits } = payment;
  if (!isReservable) return undefined;
  const text = checkoutMessages[place.language].waiting.otherWallet;
  const isOpen = isRefused || reservedBaseUnits !== undefined;
  return html`<details class="other-wallet" id="${OTHER_WALLET}"${isOpen && html` open`}>
<summary>${text.title}</summary>
${reservedBaseUnits === undefined ? askForm(place, isRefused) : exactAmount(payment, reservedBaseUnits, place)}
</details>`;
}

function askForm({ language, path }: PanelPlace, isRefused: boolean): Html {
  const text = checkoutMessages[language].waiting.otherWallet;
  return html`<form class="stack" method="post" action="${path}/reserved-amount?lang=${language}">
<p class="muted small">${text.text}</p>
${isRefused && html`<p class="notice warn" role="status">${text.refused}</p>`}
<div><button>${text.ask}</button></div>
</form>`;
}

function exactAmount({ intent }: Payment, baseUnits: bigint, { language, mint }: PanelPlace): Html {
  const { waiting } = checkoutMessages[language];
  const text = waiting.otherWallet;
  const { destinationAddress } = intent;
  const amount = toDecimal(baseUnits);
  return html`<p class="notice">${text.exactly}</p>
<dl class="by-hand">
${copyRow(language, waiting.sendExactly, amount, `${amount} USDC`)}
${copyRow(language, waiting.toAddress, destinationAddress)}
</dl>
<p class="muted small">${text.network}</p>
<p class="muted small">${text.fee}</p>
<div class="scan">
${qrCode(plainUrl({ destinationAddress, baseUnits, mint }), text.scanLabel)}
</div>`;
}
