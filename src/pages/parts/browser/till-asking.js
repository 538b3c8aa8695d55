import { call, Refusal } from './till-api.js';
import { amount, el, show, t } from './till-dom.js';

/** @typedef {import('./till-pay.js').Sale} Sale */
/** @typedef {{ items: { priceId: string, quantity: number }[], amountCents: number, tipPercent: number }} Order */
/** @typedef {{ key: string, order: Order, goods: number, atMs: number }} Asked */

/** How soon a sale whose answer was lost is requested again. */
const AGAIN_MS = 3_000;
/** Nobody waits at the counter any longer for a sale that was requested before this. */
const STALE_MS = 600_000;
/** Answers that leave open whether the sale was made. */
const UNKNOWN = ['OFFLINE', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'];
const ASKED = 'florin-till-asked';
const OPEN = 'florin-till-open';

/**
 * Asks for a sale until an answer arrives, with one key, so that it is made once however often it is requested: also
 * after the page was loaded again. Nothing else can be tapped meanwhile.
 * @param {Asked} asked
 * @returns {Promise<Sale>}
 */
export async function askForSale(asked) {
  remember(ASKED, JSON.stringify(asked));
  showAsking(asked, t('asking_text'));
  for (;;) {
    try {
      const made = await call('POST', '/sales', asked.order, asked.key);
      remember(ASKED, null);
      return made;
    } catch (error) {
      if (!(error instanceof Refusal) || !UNKNOWN.includes(error.code)) {
        remember(ASKED, null);
        throw error;
      }
      showAsking(asked, t('asking_lost'));
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** @param {Asked} asked @param {string} text */
function showAsking({ goods }, text) {
  show('asking', [
    el(
      'section',
      { class: 'card stack middle-text' },
      el('h1', {}, t('asking_title')),
      el('p', { class: 'huge' }, amount(goods)),
      el('p', {}, text),
    ),
  ]);
}

/** @param {Order} order @param {number} goods @returns {Asked} */
export const newAsked = (order, goods) => ({ key: newKey(), order, goods, atMs: Date.now() });

/** A random UUID. The browser's own needs https or a newer browser. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(''))
    .join('-');
}

/** A sale that was requested before the page was loaded again, and whose answer never came. @returns {Asked | undefined} */
export function lastAsked() {
  try {
    const asked = JSON.parse(localStorage.getItem(ASKED) ?? 'null');
    return asked && Date.now() - asked.atMs < STALE_MS ? asked : undefined;
  } catch {
    return undefined;
  }
}

/** The sale whose end nobody has seen yet. @param {string | null} id */
export const rememberOpen = (id) => remember(OPEN, id);

export function lastOpen() {
  try {
    return localStorage.getItem(OPEN);
  } catch {
    return null;
  }
}

export function forgetSales() {
  remember(ASKED, null);
  remember(OPEN, null);
}

/** @param {string} name @param {string | null} value */
function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing: the sale is found again while the page stays open.
  }
}
