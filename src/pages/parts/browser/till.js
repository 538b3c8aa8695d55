import { allItems, call, onReach, onUnpaired, Refusal, restAfter, useToken } from './till-api.js';
import { askForSale, forgetSales, lastAsked, lastOpen, newAsked, rememberOpen } from './till-asking.js';
import { stayAwake } from './till-awake.js';
import { button, el, icon, screenName, show, t } from './till-dom.js';
import { showPair } from './till-pair.js';
import { isOpen, showPay } from './till-pay.js';
import { showSales } from './till-sales.js';
import { emptyBasket, showChanged, showSell, showTip, totalOf } from './till-sell.js';
import { isMuted, playPaid, readySound, setMuted } from './till-sound.js';

/** @typedef {import('./till-pay.js').Sale} Sale */

/** How often is asked where nothing is pushed. */
const LOOK_MS = 3_000;
/** How often an idle till asks whether it is still paired, and what is for sale. */
const IDLE_MS = 60_000;

const SPEAKER = 'M4 9.500v5h3.500L12 18.500v-13L7.500 9.500z';
const WAVES = 'M15.500 9q1.800 3 0 6M18.500 6.500q3.500 5.500 0 11';
const CROSS = 'M16 9.500l5 5M21 9.500l-5 5';

/** @type {{ seller: string | null, name: string | null, terminalName: string | null, tipPercents: number[] } | undefined} */
let till;
/** @type {import('./till-sell.js').Item[]} */
let shelf = [];
/** @type {Map<string, string>} What is no longer sold has a name too. */
const names = new Map();
let basket = emptyBasket();
/** @type {Sale | undefined} */
let sale;
/** @type {EventSource | undefined} */
let stream;
let isLooking = false;
let isStarting = false;

document.documentElement.classList.add('scripted');
const code = readCode();
onReach((isReachable) => setOffline(!isReachable || !navigator.onLine));
onUnpaired(() => {
  const wasPaired = till !== undefined;
  forget();
  forgetSales();
  if (screenName() !== 'pair') showPair({ code, wasPaired, onPaired: start });
});
window.addEventListener('offline', () => setOffline(true));
window.addEventListener('online', () => void look());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void look();
});
setInterval(() => void ((isOffline() || (sale && isOpen(sale))) && look()), LOOK_MS);
setInterval(() => void (till && screenName() === 'sell' && look()), IDLE_MS);
if ('serviceWorker' in navigator)
  void navigator.serviceWorker.register('/till/worker.js', { scope: '/till' }).catch(() => {});
stayAwake();
void start();

/** A code comes in the fragment, which no server sees; it does not stay in the address either. */
function readCode() {
  const given = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return given;
}

/** Reads what it is paired with, and continues where it was: a sale that is open, was requested, or ended unseen. */
async function start() {
  if (isStarting) return;
  isStarting = true;
  try {
    till = await call('GET', '');
    useToken(/** @type {any} */ (till).csrfToken);
    const [items, sales] = await Promise.all([call('GET', '/items'), call('GET', '/sales')]);
    stock(items);
    void restAfter(items).then(restock, () => {});
    follow();
    const asked = lastAsked();
    if (asked) return void ask(asked);
    const [last] = /** @type {Sale[]} */ (sales);
    const unseen = /** @type {Sale[]} */ (sales).find(({ id }) => id === lastOpen());
    const current = last && isOpen(last) ? last : unseen;
    if (current) showCurrent(current);
    else sell();
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'TILL_NOT_PAIRED') showUnreachable(error.message);
  } finally {
    isStarting = false;
  }
}

/** @param {string} text */
function showUnreachable(text) {
  if (screenName() === 'unreachable') return;
  show('unreachable', [
    el(
      'section',
      { class: 'card stack' },
      el('h1', {}, t('unreachable_title')),
      el('p', {}, text),
      button(t('try_again'), start, 'primary full'),
    ),
  ]);
}

function forget() {
  till = undefined;
  sale = undefined;
  basket = emptyBasket();
  stream?.close();
  stream = undefined;
}

/** Pushed where the browser can: a payment, and that the till was unpaired. */
function follow() {
  if (stream || !('EventSource' in window)) return;
  stream = new EventSource('/api/till/live');
  stream.addEventListener('version', () => void look());
  // It ends for good when the till is not let in any more.
  stream.addEventListener('error', () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = undefined;
    void look();
  });
}

/** Shows what has changed in the open sale, or in the till itself. */
async function look() {
  if (screenName() === 'unreachable') return start();
  if (isLooking || !till) return;
  isLooking = true;
  try {
    const current = sale;
    if (current && isOpen(current)) {
      const next = await call('GET', `/sales/${current.id}`);
      if (sale === current && till) showCurrent(next);
    } else {
      await call('GET', '');
      if (screenName() === 'sell') stock(await allItems());
    }
    follow();
  } catch {
    // onReach and onUnpaired have shown it.
  } finally {
    isLooking = false;
  }
}

/** @param {string} [problem] */
function sell(problem) {
  sale = undefined;
  showSell({ basket, shelf, header: header('sell'), ...(problem && { problem }), onCharge: charge });
}

function charge() {
  readySound();
  const percents = till?.tipPercents ?? [];
  const goods = totalOf(basket, shelf);
  const items = [...basket.items].map(([priceId, quantity]) => ({ priceId, quantity }));
  const choose = (/** @type {number} */ tipPercent) =>
    void ask(newAsked({ items, amountCents: basket.cents, tipPercent }, goods));
  if (percents.length === 0) return choose(0);
  showTip({ goods, percents, onChoose: choose, onBack: () => sell() });
}

let isAsking = false;

/** Two taps make one sale. @param {import('./till-asking.js').Asked} asked */
async function ask(asked) {
  if (isAsking) return;
  isAsking = true;
  try {
    const made = await askForSale(asked);
    if (!till) return;
    basket = emptyBasket();
    showCurrent(made);
    void look();
  } catch (error) {
    if (!till) return;
    const isBad = error instanceof Refusal && error.code === 'BAD_REQUEST';
    const gone = isBad ? await reload() : [];
    if (gone.length > 0) showChanged({ header: header('sell'), names: gone, onBack: () => sell() });
    else sell(/** @type {Error} */ (error).message);
  } finally {
    isAsking = false;
  }
}

/** Takes what is no longer sold out of the basket, and names it: a price may have changed, or gone. */
async function reload() {
  stock(await allItems().catch(() => shelf));
  const known = new Set(shelf.map(({ priceId }) => priceId));
  const gone = [...basket.items.keys()].filter((priceId) => !known.has(priceId));
  for (const priceId of gone) basket.items.delete(priceId);
  return gone.map((priceId) => names.get(priceId) ?? '?');
}

/** The rest of a large catalog comes while the till sells already. @param {import('./till-sell.js').Item[]} items */
function restock(items) {
  if (items.length === shelf.length) return;
  stock(items);
  if (screenName() === 'sell') sell();
}

/** @param {import('./till-sell.js').Item[]} items */
function stock(items) {
  shelf = items;
  for (const { priceId, name } of items) names.set(priceId, name);
}

/** @param {Sale} next @param {string} [problem] */
function showCurrent(next, problem) {
  const before = sale;
  sale = next;
  const isSame =
    before?.id === next.id && before.stage === next.stage && before.missingCents === next.missingCents;
  if (isSame && !problem) return;
  rememberOpen(isOpen(next) ? next.id : null);
  if (next.stage === 'paid' && before?.id === next.id) playPaid();
  const back = () => sell();
  showPay(next, {
    header: header('sell'),
    ...(problem && { problem }),
    onCancel: cancel,
    onNew: back,
    onLook: () => void look(),
  });
}

async function cancel() {
  const current = sale;
  if (!current) return;
  try {
    showCurrent(await call('POST', `/sales/${current.id}/cancel`, {}));
  } catch (error) {
    const text = /** @type {Error} */ (error).message;
    if (till && sale === current) showCurrent(current, text);
    void look();
  }
}

/** Header with the seller, the till, and the ways to other screens. @param {'sell' | 'sales'} here */
function header(here) {
  const sound = button(
    '',
    () => {
      setMuted(!isMuted());
      drawSound();
      readySound();
    },
    'small',
  );
  const drawSound = () => {
    sound.replaceChildren(icon(SPEAKER + (isMuted() ? CROSS : WAVES)));
    sound.setAttribute('aria-label', t('sound'));
    sound.setAttribute('aria-pressed', String(!isMuted()));
  };
  drawSound();
  const place = [till?.terminalName, till?.name].filter(Boolean).join(' · ');
  const tab = (/** @type {'sell' | 'sales'} */ name, /** @type {() => void} */ open) => {
    const node = button(t(`tab_${name}`), open, 'small');
    if (here === name) node.setAttribute('aria-current', 'page');
    return node;
  };
  const openSales = () => {
    sale = undefined;
    void showSales({ header: header('sales'), onResume: (one) => showCurrent(one) });
  };
  return el(
    'header',
    { class: 'bar' },
    el(
      'p',
      { class: 'who' },
      el('bdi', {}, till?.seller ?? ''),
      place ? el('bdi', { class: 'muted small' }, place) : false,
    ),
    el(
      'nav',
      { 'aria-label': t('tabs') },
      tab('sell', () => sell()),
      tab('sales', openSales),
      sound,
    ),
  );
}

function isOffline() {
  return document.getElementById('offline')?.hidden === false;
}

/** @param {boolean} isNow */
function setOffline(isNow) {
  const banner = document.getElementById('offline');
  if (!banner || isOffline() === isNow) return;
  banner.hidden = !isNow;
  banner.textContent = isNow ? t('offline') : '';
}
