import { amount, button, el, money, show, t } from './till-dom.js';

/** @typedef {{ priceId: string, name: string, unitAmountCents: number, imagePath: string | null }} Item */
/** @typedef {{ items: Map<string, number>, cents: number }} Basket */

/** Largest amount of a till: a million dollars less a cent. */
const MAX_CENTS = 99_999_999;
const MAX_QUANTITY = 999;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'];

/** @returns {Basket} */
export const emptyBasket = () => ({ items: new Map(), cents: 0 });

/**
 * @param {Basket} basket
 * @param {readonly Item[]} shelf
 */
export function totalOf({ items, cents }, shelf) {
  return shelf.reduce((sum, item) => sum + item.unitAmountCents * (items.get(item.priceId) ?? 0), cents);
}

/**
 * The keypad, the items and what is in the basket. Cents come first, as on every till: 1, 2, 5, 0 is 12.50.
 * @param {{ basket: Basket, shelf: readonly Item[], header: Node, problem?: string, onCharge(): void }} options
 */
export function showSell({ basket, shelf, header, problem, onCharge }) {
  const shown = el('output', { class: 'amount huge keyed', dir: 'ltr', 'aria-label': t('sell_amount') });
  const lines = el('ul', { class: 'basket' });
  const charge = button('', onCharge, 'primary full charge');
  const clear = button(t('sell_clear'), () => {
    basket.items.clear();
    basket.cents = 0;
    draw();
  });
  const draw = () => {
    shown.textContent = money(basket.cents);
    lines.replaceChildren(...basketLines(basket, shelf, draw));
    const total = totalOf(basket, shelf);
    charge.textContent = total > 0 ? t('sell_charge', { amount: money(total) }) : t('sell_nothing');
    charge.disabled = total === 0 || total > MAX_CENTS;
    clear.hidden = total === 0;
  };
  /** @param {string} key */
  const press = (key) => {
    const next = key === 'back' ? Math.floor(basket.cents / 10) : Number(`${basket.cents}${key}`);
    if (next <= MAX_CENTS) basket.cents = next;
    draw();
  };
  /** @param {KeyboardEvent} event */
  const type = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = digitOf(event.key);
    if (digit) press(digit);
    else if (event.key === 'Backspace') press('back');
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement) && !charge.disabled)
      onCharge();
    else return;
    event.preventDefault();
  };
  const keypad = el(
    'div',
    { class: 'keypad', role: 'group', 'aria-label': t('sell_keypad') },
    ...KEYS.map((key) => keyOf(key, press)),
  );
  const screen = el(
    'div',
    { class: shelf.length > 0 ? 'sell with-items' : 'sell' },
    el('h1', { class: 'unseen' }, t('sell_title')),
    el('section', { class: 'card stack pad', 'aria-label': t('sell_amount') }, shown, keypad),
    shelf.length > 0 &&
      el(
        'section',
        { class: 'card stack shelf', 'aria-label': t('sell_items') },
        el('h2', {}, t('sell_items')),
        itemButtons(basket, shelf, draw),
      ),
    el(
      'section',
      { class: 'total', 'aria-label': t('sell_basket') },
      problem ? el('p', { class: 'notice bad', role: 'alert' }, problem) : false,
      lines,
      el('div', { class: 'actions' }, charge, clear),
    ),
  );
  draw();
  show('sell', [header, screen], () => {
    document.addEventListener('keydown', type);
    return () => document.removeEventListener('keydown', type);
  });
}

/** Also of Arabic and Persian keyboards. @param {string} key */
function digitOf(key) {
  const digits = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'];
  const at = key.length === 1 ? Math.max(...digits.map((each) => each.indexOf(key))) : -1;
  return at < 0 ? undefined : `${at}`;
}

/** @param {string} key @param {(key: string) => void} press */
function keyOf(key, press) {
  const node = unfocused(button(key === 'back' ? '⌫' : key, () => press(key)));
  if (key === 'back') node.setAttribute('aria-label', t('sell_back'));
  return node;
}

/** A tap leaves the focus where it was, so that Enter charges and does not press the key again. @param {HTMLButtonElement} node */
function unfocused(node) {
  node.addEventListener('mousedown', (event) => event.preventDefault());
  return node;
}

/** @param {Basket} basket @param {readonly Item[]} shelf @param {() => void} draw */
function itemButtons(basket, shelf, draw) {
  return el(
    'div',
    { class: 'items' },
    ...shelf.map((item) => {
      const node = unfocused(button('', () => change(basket, item, 1, draw)));
      if (item.imagePath)
        node.append(el('img', { class: 'product-image small', src: item.imagePath, alt: '' }));
      node.append(el('bdi', {}, item.name), amount(item.unitAmountCents, 'muted'));
      return node;
    }),
  );
}

/** @param {Basket} basket @param {Item} item @param {number} by @param {() => void} draw */
function change(basket, { priceId }, by, draw) {
  const quantity = Math.min(MAX_QUANTITY, (basket.items.get(priceId) ?? 0) + by);
  if (quantity > 0) basket.items.set(priceId, quantity);
  else basket.items.delete(priceId);
  draw();
}

/** @param {Basket} basket @param {readonly Item[]} shelf @param {() => void} draw */
function basketLines(basket, shelf, draw) {
  const items = shelf
    .filter(({ priceId }) => basket.items.has(priceId))
    .map((item) => {
      const quantity = basket.items.get(item.priceId) ?? 0;
      const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) => {
        const node = button(
          sign,
          () => {
            change(basket, item, by, draw);
            document.getElementById(node.id)?.focus();
          },
          'small',
        );
        node.id = `${by > 0 ? 'more' : 'less'}-${item.priceId}`;
        node.setAttribute('aria-label', t(label, { name: item.name }));
        return node;
      };
      return el(
        'li',
        {},
        el('bdi', { class: 'name' }, item.name),
        step(-1, '−', 'sell_less'),
        el('span', { class: 'quantity', dir: 'ltr' }, `${quantity}`),
        step(1, '+', 'sell_more'),
        amount(item.unitAmountCents * quantity),
      );
    }); // Beside items, what was typed in is a line like theirs.
  const keyed = el('li', {}, el('span', { class: 'name' }, t('sell_amount')), amount(basket.cents));
  return items.length > 0 && basket.cents > 0 ? [...items, keyed] : items;
}

/**
 * For the customer: the phone is turned around.
 * @param {{ goods: number, percents: readonly number[], onChoose(percent: number): void, onBack(): void }} options
 */
export function showTip({ goods, percents, onChoose, onBack }) {
  const choices = percents.map((percent) => {
    const node = button('', () => onChoose(percent), 'tip');
    // To the cent, half a cent upward, as the service counts.
    const tip = Math.floor((goods * percent + 50) / 100);
    node.append(el('bdi', { dir: 'ltr' }, `${percent}%`), amount(tip, 'small'));
    return node;
  });
  show('tip', [
    el(
      'section',
      { class: 'card stack middle-text' },
      el('h1', {}, t('tip_title')),
      el('p', { class: 'muted' }, t('tip_help', { amount: money(goods) })),
      el('div', { class: 'tip-choices' }, ...choices),
      button(t('tip_none'), () => onChoose(0), 'full'),
      el('p', {}, button(t('back'), onBack, 'small')),
    ),
  ]);
}

/**
 * Stops the cashier before the rest is charged without what is missing.
 * @param {{ header: Node, names: readonly string[], onBack(): void }} options
 */
export function showChanged({ header, names, onBack }) {
  show('changed', [
    header,
    el(
      'section',
      { class: 'card stack' },
      el('h1', {}, t('changed_title')),
      el('p', {}, t('changed_text')),
      el('ul', { class: 'facts' }, ...names.map((name) => el('li', {}, el('bdi', {}, name)))),
      button(t('changed_back'), onBack, 'primary full'),
    ),
  ]);
}
