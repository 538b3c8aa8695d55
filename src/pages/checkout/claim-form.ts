import { type Html, html } from '../../platform/http/html.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { PanelPlace } from './panel-place.ts';

export type Claim = 'thanks' | 'malformed' | undefined;

/** Time until the chain is asked about it again. */
const AGAIN_MS = 5_000;

/** "I’ve paid": requests a closer look at the chain, with the transaction if the payer has it. */
export function claimForm({ language, path }: PanelPlace, claim: Claim): Html {
  const text = checkoutMessages[language].claim;
  const isWrong = claim === 'malformed';
  return html`<details id="claim"${claim && html` open`}>
<summary>${text.title}</summary>
<form class="stack" method="post" action="${path}/check?lang=${language}">
<p class="muted small">${text.text}</p>
${claim === 'thanks' && html`<p class="notice good" role="status" data-again-ms="${AGAIN_MS}">${text.thanks}</p>`}
<div class="field">
<label for="signature">${text.signature}</label>
<input id="signature" name="signature" maxlength="100" autocomplete="off" spellcheck="false" dir="ltr" aria-describedby="signature-hint${isWrong ? ' signature-problem' : ''}"${isWrong && html` aria-invalid="true" autofocus`}>
<p class="hint" id="signature-hint">${text.hint}</p>
${isWrong && html`<p class="problem" id="signature-problem">${text.malformed}</p>`}
</div>
<div><button>${text.send}</button></div>
</form>
</details>`;
}
