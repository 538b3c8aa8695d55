import { call } from './till-api.js';
import { amount, button, el, moment, money, screenName, show, t } from './till-dom.js';
import { otherTokenOf } from './till-pay.js';

/** @typedef {import('./till-pay.js').Sale} Sale */

/**
 * The till's own last sales.
 * @param {{ header: Node, onResume(sale: Sale): void }} options
 */
export async function showSales(options) {
  const { header } = options;
  show('sales', [header, el('section', { class: 'card stack' }, el('h1', {}, t('sales_title')))]);
  /** @type {Sale[]} */
  let sales;
  try {
    sales = await call('GET', '/sales');
  } catch (error) {
    if (screenName() !== 'sales') return;
    const text = /** @type {Error} */ (error).message;
    show('sales', [
      header,
      el(
        'section',
        { class: 'card stack' },
        el('h1', {}, t('sales_title')),
        el('p', { class: 'notice bad', role: 'alert' }, text),
      ),
    ]);
    return;
  }
  // A cashier who has gone on selling is not called back.
  if (screenName() !== 'sales') return;
  show('sales', [
    header,
    el(
      'section',
      { class: 'card stack' },
      el('h1', {}, t('sales_title')),
      sales.length === 0
        ? el('p', { class: 'muted' }, t('sales_none'))
        : el('ul', { class: 'sales' }, ...sales.map((sale) => lineOf(sale, options))),
    ),
  ]);
}

/** @param {Sale} sale @param {Parameters<typeof showSales>[0]} options */
function lineOf(sale, options) {
  const row = el(
    'button',
    { type: 'button', click: () => showSale(sale, options) },
    el('span', {}, t('sale_number', { number: sale.number })),
    el('span', { class: 'muted small' }, moment(sale.createdAt)),
    statusOf(sale),
    amountOf(sale),
  );
  return el('li', {}, row);
}

/** @param {Sale} sale */
function amountOf({ receivedCents, expectedCents }) {
  if (receivedCents === 0 || receivedCents === expectedCents) return amount(expectedCents);
  const expected = el('span', { class: 'muted small' }, t('of_amount', { amount: money(expectedCents) }));
  return el('span', {}, amount(receivedCents), ' ', expected);
}

/** @type {Record<string, string>} */
const TONES = { paid: 'good', underpaid: 'warn', confirming: 'warn', checking: 'warn', waiting: 'warn' };

/** @param {Sale} sale */
function statusOf({ stage, refundRequest }) {
  if (refundRequest) return el('span', { class: 'badge warn' }, t(`refund_${refundRequest}`));
  return el('span', { class: `badge ${TONES[stage] ?? ''}` }, t(`stage_${stage}`));
}

/**
 * @param {Sale} sale
 * @param {Parameters<typeof showSales>[0]} options
 * @param {string} [problem]
 */
function showSale(sale, options, problem) {
  const { header, onResume } = options;
  const canResume = sale.stage === 'waiting' || sale.stage === 'underpaid';
  const lines = sale.lines.map(({ name, quantity, unitAmountCents }) =>
    factOf(name === null ? t('sell_amount') : `${quantity} × ${name}`, quantity * unitAmountCents),
  );
  show('sale', [
    header,
    el(
      'section',
      { class: 'card stack' },
      el('h1', {}, t('sale_number', { number: sale.number })),
      el('p', { class: 'actions' }, statusOf(sale), el('span', { class: 'muted' }, moment(sale.createdAt))),
      el(
        'ul',
        { class: 'facts' },
        ...lines,
        sale.tipCents > 0 && factOf(t('tip'), sale.tipCents),
        factOf(t('total'), sale.expectedCents),
        sale.receivedCents !== sale.expectedCents && factOf(t('received'), sale.receivedCents),
      ),
      sale.stage === 'underpaid' &&
        el(
          'p',
          { class: 'notice warn' },
          t('underpaid_text', { received: money(sale.receivedCents), missing: money(sale.missingCents) }),
        ),
      sale.surplusCents > 0 &&
        el('p', { class: 'notice warn' }, t('overpaid_text', { surplus: money(sale.surplusCents) })),
      sale.strayCents > 0 &&
        el('p', { class: 'notice warn' }, t('stray_text', { amount: money(sale.strayCents) })),
      otherTokenOf(sale),
      sale.refundRequest && el('p', { class: 'notice' }, t(`refund_${sale.refundRequest}_text`)),
      problem ? el('p', { class: 'notice bad', role: 'alert' }, problem) : false,
      canResume && button(t('sale_resume'), () => onResume(sale), 'primary full'),
      canRefund(sale) && refundForm(sale, options),
      el(
        'p',
        {},
        button(t('back'), () => showSales(options), 'small'),
      ),
    ),
  ]);
}

/** @param {Sale} sale */
const canRefund = ({ receivedCents, refundRequest }) =>
  receivedCents > 0 && refundRequest !== 'open' && refundRequest !== 'approved';

/** @param {string} label @param {number} cents */
const factOf = (label, cents) => el('li', {}, el('bdi', {}, label), amount(cents));

/** @param {Sale} sale @param {Parameters<typeof showSales>[0]} options */
function refundForm(sale, options) {
  const reason = el('input', { id: 'reason', maxlength: '200', autocomplete: 'off' });
  const submit = button(t('refund_submit'), () => {}, 'danger full');
  submit.type = 'submit';
  return el(
    'form',
    {
      class: 'stack',
      submit: async (event) => {
        event.preventDefault();
        submit.disabled = true;
        try {
          const text = reason.value.trim();
          showSale(
            await call('POST', `/sales/${sale.id}/refund-request`, text ? { reason: text } : {}),
            options,
          );
        } catch (error) {
          showSale(sale, options, /** @type {Error} */ (error).message);
        }
      },
    },
    el('h2', {}, t('refund_title')),
    el('p', { class: 'muted small' }, t('refund_help')),
    el('div', { class: 'field' }, el('label', { for: 'reason' }, t('refund_reason')), reason),
    submit,
  );
}
