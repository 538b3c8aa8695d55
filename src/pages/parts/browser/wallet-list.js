import { getWallets } from '@wallet-standard/app';
import { announce } from './announce.js';

/**
 * Part of the Wallet Standard that our pages need.
 * @typedef {{ address: string, chains: readonly string[] }} Account
 * @typedef {{ name: string, icon: string, chains: readonly string[], accounts: readonly Account[], features: any }} Wallet
 */

const CONNECT = 'standard:connect';

const registry = getWallets();
/** @type {Set<string>} */
const followed = new Set();

/**
 * Fills a place with the wallets that this browser has on our chain and that can do what is needed.
 * @param {string} selector
 * @param {(features: any) => boolean} canDo
 * @param {(wallet: Wallet, place: HTMLElement) => void} use
 * @param {(place: HTMLElement, wallets: readonly Wallet[]) => void} [listed]
 */
export function listWallets(selector, canDo, use, listed) {
  const show = () => {
    const place = document.querySelector(selector);
    if (!(place instanceof HTMLElement)) return;
    const { chain = '' } = place.dataset;
    const known = /** @type {readonly Wallet[]} */ (registry.get());
    const wallets = known.filter(
      ({ chains, features }) => chains.includes(chain) && CONNECT in features && canDo(features),
    );
    place.hidden = wallets.length === 0;
    place.querySelector('ul')?.replaceChildren(...wallets.map((wallet) => offer(wallet, place, use)));
    listed?.(place, wallets);
  };
  if (!followed.has(selector)) {
    followed.add(selector);
    registry.on('register', show);
    registry.on('unregister', show);
  }
  show();
}

/**
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 * @param {(wallet: Wallet, place: HTMLElement) => void} use
 */
function offer(wallet, place, use) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'primary full wallet';
  const icon = document.createElement('img');
  icon.src = wallet.icon;
  icon.alt = '';
  icon.width = icon.height = 24;
  const label = document.createElement('span');
  label.textContent = (place.dataset.offer ?? '{wallet}').replace('{wallet}', wallet.name);
  button.append(icon, label);
  button.addEventListener('click', () => use(wallet, place));
  const item = document.createElement('li');
  item.append(button);
  return item;
}

/**
 * A second click waits; the answer lets it through again.
 * @param {HTMLElement} place
 */
export function disable(place) {
  const buttons = [...place.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  return () => {
    for (const button of buttons) button.disabled = false;
  };
}

/**
 * Every account that the wallet shows us on the chain, the one its owner chose first.
 * @param {Wallet} wallet
 * @param {string} chain
 * @returns {Promise<[Account, ...Account[]]>}
 */
export async function connect(wallet, chain) {
  const { accounts } = await wallet.features[CONNECT].connect();
  const [first, ...others] = [...accounts, ...wallet.accounts].filter(({ chains }) => chains.includes(chain));
  if (!first) throw new OtherNetwork('The wallet has no account on this chain.');
  return [first, ...others];
}

/** The wallet is set to a network that is not ours. */
export class OtherNetwork extends Error {}

/** Refusal of our own, which is worth showing; the error of a wallet whose owner says no is not. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {boolean} mustWait
   */
  constructor(message, status, mustWait) {
    super(message);
    this.status = status;
    this.mustWait = mustWait;
  }
}

/**
 * @param {string} url
 * @param {object} body
 */
export async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const value = await answer.json();
  if (answer.ok) return value;
  // Wallets get the words alone, all others in the envelope of the API.
  throw new Refusal(value.message ?? value.error?.message, answer.status, answer.headers.has('retry-after'));
}

/**
 * @param {HTMLElement} place
 * @param {string | undefined} text
 */
export function tell(place, text = '', isProblem = false) {
  const line = place.querySelector('[data-progress]');
  if (!(line instanceof HTMLElement)) return;
  line.hidden = false;
  line.className = isProblem ? 'notice bad' : 'notice';
  line.textContent = text;
  announce(text);
}
