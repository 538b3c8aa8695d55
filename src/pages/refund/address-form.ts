import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { refundMessages } from './messages/languages.ts';
import type { FormProblem } from './messages/messages.ts';

/** Text that was typed, and what is wrong with it. */
export interface Typed {
  address: string | undefined;
  problem: FormProblem | undefined;
}

export interface FormPlace {
  language: Language;
  network: 'mainnet' | 'devnet' | 'sandbox';
  token: string;
  /** The wallet that paid; null if that is not known, or was no wallet of the customer's. */
  payer: string | null;
  /** Message for that wallet to sign. */
  proofMessage: string | null;
}

const CHAINS = { mainnet: 'solana:mainnet', devnet: 'solana:devnet', sandbox: 'solana:localnet' } as const;

/** Form for the address that the money should go to: typed, or given by a wallet of this browser. */
export function addressForm(place: FormPlace, typed: Typed): Html {
  const { language, token } = place;
  const text = refundMessages[language].form;
  const { address = '', problem } = typed;
  return html`<p class="notice warn">${text.warning}</p>
<form class="stack" method="post" action="/refunds/${token}?lang=${language}" novalidate>
<div class="field">
<label for="address">${text.label}</label>
<input id="address" name="address" dir="ltr" required maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false" value="${address}" aria-describedby="${problem ? 'address-problem ' : ''}address-hint"${problem && html` aria-invalid="true" autofocus`}>
${problem && html`<p class="problem" id="address-problem">${text.problems[problem]}</p>`}
<p class="hint" id="address-hint">${text.hint}</p>
</div>
<button class="primary full">${text.submit}</button>
</form>
${wallets(place)}`;
}

/** Filled by the script with what it finds; without scripts, or without wallets, it stays away. */
function wallets({ language, network, token, payer, proofMessage }: FormPlace): Html {
  const text = refundMessages[language].wallet;
  return html`<div class="wallets" data-prove hidden data-chain="${CHAINS[network]}" data-claim="/api/public/refunds/${token}" data-payer="${payer ?? ''}" data-message="${proofMessage ?? ''}" data-offer="${text.offer}" data-connecting="${text.connecting}" data-approve="${text.approve}" data-confirmed="${text.confirmed}" data-refused="${text.refused}" data-failed="${text.failed}" data-other="${text.other}">
<h3>${text.title}</h3>
<p class="muted small">${proofMessage === null ? text.textUnknown : text.text}</p>
<ul></ul>
<p data-progress hidden></p>
</div>`;
}
