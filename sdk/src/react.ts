import { createElement, type ReactElement, useEffect, useRef } from 'react';

/** State that the embedded checkout shows. It is never proof of payment: wait for the webhook before you deliver. */
export interface CheckoutReport {
  status: 'open' | 'processing' | 'complete' | 'expired' | 'canceled';
  /** Empty on the page of a payment link, until the buyer has confirmed the order. */
  sessionId: string;
}

export interface FlorinCheckoutProps {
  /** The `checkoutUrl` of a checkout session, or the `url` of a payment link. */
  url: string;
  /** Called whenever the status changes. */
  onStatus?: ((report: CheckoutReport) => void) | undefined;
  /** Called once the page says that the order is paid. */
  onComplete?: ((report: CheckoutReport) => void) | undefined;
}

/** A checkout inside your own page. The site it is on must be one of the project's `settings.embedOrigins`. */
export function FlorinCheckout({ url, onStatus, onComplete }: FlorinCheckoutProps): ReactElement {
  const element = useRef<HTMLElement>(null);
  useEffect(() => loadElement(new URL('/embed.js', url).href), [url]);
  useEffect(() => {
    const place = element.current;
    const hear = (event: Event) => {
      const { detail } = event as CustomEvent<CheckoutReport>;
      if (event.type === 'florin-status') onStatus?.(detail);
      else onComplete?.(detail);
    };
    for (const type of EVENTS) place?.addEventListener(type, hear);
    return () => {
      for (const type of EVENTS) place?.removeEventListener(type, hear);
    };
  }, [onStatus, onComplete]);
  return createElement('florin-checkout', { ref: element, src: url });
}

const EVENTS = ['florin-status', 'florin-complete'];

/** Once per page, whichever component asks first. */
function loadElement(src: string): void {
  if (customElements.get('florin-checkout') || document.querySelector(`script[src="${src}"]`)) return;
  document.head.append(Object.assign(document.createElement('script'), { src, async: true }));
}
