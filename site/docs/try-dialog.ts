import { html } from '../../src/platform/http/html.ts';

/**
 * Sends a request from the reference to this very service. It is opened by script alone, and no field has a name, so
 * that nothing typed here can end up in an address.
 */
export const tryDialog = html`<dialog id="site-try" aria-labelledby="site-try-title">
<form method="dialog" autocomplete="off">
<header><h2 id="site-try-title">Try it</h2><button type="button" class="close">Close</button></header>
<p class="endpoint"><span class="method"></span> <code class="path"></code></p>
<div class="fields-to-fill"></div>
<label class="key">API key <small>kept in this tab until it is closed; test keys only, from the first start or <code>npx florin keys create</code></small>
<input type="password" spellcheck="false" autocomplete="off" placeholder="fl_dev_…"></label>
<label class="body">Body <textarea rows="10" spellcheck="false"></textarea></label>
<label class="repeat"><input type="checkbox" checked> Send a new Idempotency-Key</label>
<p class="actions"><button type="submit" class="primary">Send</button> <span class="outcome" role="status"></span></p>
<figure class="code" hidden><figcaption>Answer</figcaption><pre tabindex="0" role="group" aria-label="Answer"><code></code></pre></figure>
</form>
</dialog>`;
