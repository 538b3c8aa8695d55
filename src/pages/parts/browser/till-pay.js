import { amount, button, el, isSandbox, money, qrCode, show, t } from './till-dom.js';
import { timeLeft } from './time-left.js';

/** How long the thanks stay before the till is ready for the next customer. */
const THANKS_MS = 15_000;

/**
 * @typedef {object} Sale
 * @property {string} id
 * @property {number} number
 * @property {string} stage
 * @property {{ name: string | null, quantity: number, unitAmountCents: number }[]} lines
 * @property {number} goodsCents
 * @property {number} tipCents
 * @property {number} expectedCents
 * @property {number} receivedCents
 * @property {number} missingCents
 * @property {number} surplusCents
 * @property {number} strayCents
 * @property {boolean} hasFailed
 * @property {{ mint: string, amount: string | null } | null} otherToken
 * @property {'open' | 'approved' | 'declined' | 'canceled' | null} refundRequest
 * @property {{ size: number, path: string } | null} qr
 * @property {string} createdAt
 * @property {string} expiresAt
 * @property {string} now
 */

/** @param {Sale} sale */
export const isOpen = ({ stage }) => ['waiting', 'checking', 'confirming', 'underpaid'].includes(stage);

/**
 * A sale from its code to its end. Each end has a sentence and a next step.
 * @param {Sale} sale
 * @param {{ header: Node, problem?: string, onCancel(): void, onNew(): void, onLook(): void }} options
 */
export function showPay(sale, options) {
  const { stage } = sale;
  if (stage === 'waiting' || stage === 'underpaid') return showCode(sale, options);
  if (stage === 'checking' || stage === 'confirming') return showChecking(sale);
  if (stage === 'paid') return showPaid(sale, options);
  const key = stage === 'canceled' ? 'canceled' : 'expired';
  show(`pay-${key}`, [
    options.header,
    el(
      'section',
      { class: 'card stack middle-text' },
      el('h1', {}, t(`${key}_title`)),
      sale.strayCents > 0
        ? el('p', { class: 'notice warn' }, t('stray_text', { amount: money(sale.strayCents) }))
        : el('p', {}, t(`${key}_text`)),
      otherTokenOf(sale),
      button(t('new_sale'), options.onNew, 'primary full'),
    ),
  ]);
}

/** Something arrived, and it is not USDC. @param {Sale} sale */
export function otherTokenOf({ otherToken }) {
  if (!otherToken) return false;
  const { mint, amount: text } = otherToken;
  const token = mint.length > 9 ? `${mint.slice(0, 4)}…${mint.slice(-4)}` : mint;
  const words =
    text === null
      ? t('other_token_unknown_text', { token })
      : t('other_token_text', { amount: tokenAmount(text), token });
  return el('p', { class: 'notice warn' }, words);
}

/** Formats an amount in the till's language; text, because a double has fewer digits. @param {string} text */
function tokenAmount(text) {
  const form = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 100 });
  return form.format(/** @type {number} */ (/** @type {unknown} */ (text)));
}

/** @param {Sale} sale @param {Parameters<typeof showPay>[1]} options */
function showCode(sale, { problem, onCancel, onNew, onLook }) {
  const isUnderpaid = sale.stage === 'underpaid';
  const left = el('bdi', { dir: 'ltr' });
  show(
    `pay-${sale.stage}-${sale.missingCents}`,
    [
      el(
        'section',
        { class: 'card stack middle-text paying' },
        el('h1', { class: 'huge' }, amount(sale.missingCents)),
        sale.tipCents > 0 && el('p', { class: 'muted' }, t('pay_tip', { amount: money(sale.tipCents) })),
        isUnderpaid &&
          el(
            'p',
            { class: 'notice warn' },
            t('underpaid_text', { received: money(sale.receivedCents), missing: money(sale.missingCents) }),
          ),
        sale.hasFailed && el('p', { class: 'notice warn' }, t('pay_failed')),
        otherTokenOf(sale),
        problem ? el('p', { class: 'notice bad', role: 'alert' }, problem) : false,
        sale.qr ? qrCode(sale.qr, t('pay_qr')) : false,
        el('p', {}, t('pay_scan')),
        el('p', { class: 'muted' }, `${t('pay_left')} `, left),
        isSandbox &&
          el(
            'p',
            {},
            el('a', { href: `/intents/${sale.id}`, target: '_blank', rel: 'noopener' }, t('pay_test')),
          ),
        isUnderpaid ? button(t('pay_leave'), onNew, 'full') : button(t('pay_cancel'), onCancel, 'full'),
      ),
    ],
    () => countDown(sale, left, onLook),
  );
}

/** By the service's clock. @param {Sale} sale @param {HTMLElement} shown @param {() => void} onEnd */
function countDown({ expiresAt, now }, shown, onEnd) {
  const endsMs = performance.now() + Date.parse(expiresAt) - Date.parse(now);
  const draw = () => {
    const leftMs = endsMs - performance.now();
    shown.textContent = timeLeft(Math.max(0, Math.ceil(leftMs / 1_000)), document.documentElement.lang);
    if (leftMs > 0) return;
    clearInterval(timer);
    onEnd();
  };
  const timer = setInterval(draw, 1_000);
  draw();
  return () => clearInterval(timer);
}

/** @param {Sale} sale */
function showChecking(sale) {
  show(`pay-${sale.stage}`, [
    el(
      'section',
      { class: 'card stack middle-text' },
      el('h1', {}, t('confirming_title')),
      el('p', { class: 'huge' }, amount(sale.expectedCents)),
      el('p', {}, t('confirming_text')),
    ),
  ]);
}

/** @param {Sale} sale @param {Parameters<typeof showPay>[1]} options */
function showPaid(sale, { header, onNew }) {
  show(
    'pay-paid',
    [
      header,
      el(
        'section',
        { class: 'card stack middle-text thanks' },
        el('p', { class: 'tick', 'aria-hidden': 'true' }, '✓'),
        el('h1', {}, t('paid_title')),
        el('p', { class: 'huge' }, amount(sale.receivedCents)),
        sale.tipCents > 0 && el('p', { class: 'muted' }, t('pay_tip', { amount: money(sale.tipCents) })),
        sale.surplusCents > 0 &&
          el('p', { class: 'notice warn' }, t('overpaid_text', { surplus: money(sale.surplusCents) })),
        el('p', { class: 'muted' }, t('sale_number', { number: sale.number })),
        button(t('new_sale'), onNew, 'primary full'),
      ),
    ],
    () => {
      // Nobody has to read more than this; a sale that needs a word stays until somebody has read it.
      const timer = sale.surplusCents > 0 ? undefined : setTimeout(onNew, THANKS_MS);
      return () => clearTimeout(timer);
    },
  );
}
