import { onContent } from './refresh.js';

/**
 * Inside another site's page: reports the height and the status of the checkout to that page, once it has asked. Only the
 * sites that the seller has listed get an answer.
 */
export function reportToFrame() {
  if (window.parent === window) return;
  const origins = document.getElementById('main')?.dataset.embed?.split(' ') ?? [];
  /** @type {string | undefined} */
  let asker;
  const report = () => {
    const { status, session } = document.getElementById('main')?.dataset ?? {};
    const height = document.body.scrollHeight;
    if (asker) window.parent.postMessage({ florin: 'checkout', status, sessionId: session, height }, asker);
  };
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || data?.florin !== 'hello' || !origins.includes(origin)) return;
    asker = origin;
    report();
  });
  document.documentElement.classList.add('framed');
  onContent(() => {
    const { status } = document.getElementById('main')?.dataset ?? {};
    document.querySelector('[data-framed]')?.toggleAttribute('hidden', status !== 'open');
    sendLinksOut(origins);
    report();
  });
  new ResizeObserver(report).observe(document.body);
}

/**
 * Other sites cannot be shown in here: links to the shop open in its window, all others and documents in a new tab.
 * @param {readonly string[]} origins
 */
function sendLinksOut(origins) {
  for (const link of document.links) {
    const isOurs = link.origin === location.origin && !/^\/portal|\.pdf$/.test(link.pathname);
    if (isOurs || !link.protocol.startsWith('http') || link.target) continue;
    link.target = origins.includes(link.origin) ? '_top' : '_blank';
  }
}
