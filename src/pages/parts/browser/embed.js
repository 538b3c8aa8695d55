/**
 * For the pages of a shop: `<florin-checkout src="https://pay.example.com/checkout/cs_…"></florin-checkout>` shows a
 * checkout or a payment link inside the page and grows with its content.
 *
 * Events: `florin-status` whenever the status or the checkout session changes and `florin-complete` once it is complete, both with
 * `detail: { status, sessionId }`. They are for showing something, never proof of payment: the webhook is.
 */
class FlorinCheckout extends HTMLElement {
  static observedAttributes = ['src'];

  /** @type {HTMLIFrameElement | undefined} */
  #frame;
  /** @type {string | undefined} */
  #reported;

  connectedCallback() {
    window.addEventListener('message', this.#hear);
    this.#show();
  }

  disconnectedCallback() {
    window.removeEventListener('message', this.#hear);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  #show() {
    const address = checkoutAddress(this.getAttribute('src') ?? '');
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.style.display ||= 'block';
    this.#reported = undefined;
    if (!address) {
      const problem = document.createElement('p');
      problem.textContent = 'florin-checkout: src must be the address of a checkout or a payment link.';
      root.replaceChildren(problem);
      return;
    }
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = this.getAttribute('title') || 'Checkout';
    frame.allow = 'clipboard-write';
    frame.referrerPolicy = 'no-referrer';
    frame.style.cssText = 'width: 100%; height: 40rem; border: 0; display: block; color-scheme: normal';
    frame.addEventListener('load', () =>
      frame.contentWindow?.postMessage({ florin: 'hello' }, address.origin),
    );
    root.replaceChildren(frame);
    this.#frame = frame;
  }

  /** @param {MessageEvent} event */
  #hear = ({ source, origin, data }) => {
    const frame = this.#frame;
    if (!frame || source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
    if (data?.florin !== 'checkout') return;
    if (data.height > 0) frame.style.height = `${Math.ceil(data.height)}px`;
    const report = `${data.status} ${data.sessionId}`;
    if (report === this.#reported) return;
    this.#reported = report;
    const detail = { status: data.status, sessionId: data.sessionId };
    this.dispatchEvent(new CustomEvent('florin-status', { detail, bubbles: true }));
    if (data.status === 'complete')
      this.dispatchEvent(new CustomEvent('florin-complete', { detail, bubbles: true }));
  };
}

// A module has no current script, but its element is in the page.
const script =
  document.currentScript ?? [...document.scripts].find(({ src }) => /\/embed\.js(\?|$)/.test(src));
/** Origin of this script: only checkouts of the same service are shown. */
const service = script instanceof HTMLScriptElement ? new URL(script.src).origin : undefined;

/**
 * @param {string} text
 * @returns {URL | undefined}
 */
function checkoutAddress(text) {
  const url = parse(text);
  const isCheckout = url && /^https?:$/.test(url.protocol) && /^\/(checkout|pay)\//.test(url.pathname);
  return isCheckout && (!service || url.origin === service) ? url : undefined;
}

/** Older browsers have no URL.canParse. @param {string} text @returns {URL | undefined} */
function parse(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

// A page may load this script twice.
if (!customElements.get('florin-checkout')) customElements.define('florin-checkout', FlorinCheckout);
