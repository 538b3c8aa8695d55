import { getWallets } from '@wallet-standard/app';
import { announce } from './announce.js';

/**
 * As much of the Wallet Standard as paying needs.
 * @typedef {{ address: string, chains: readonly string[] }} Account
 * @typedef {{ name: string, icon: string, chains: readonly string[], accounts: readonly Account[], features: any }} Wallet
 */

const CONNECT = 'standard:connect';
const SEND = 'solana:signAndSendTransaction';

const registry = getWallets();
let isFollowing = false;

/** Fills `[data-wallets]` with the wallets that this browser has and that can pay on our chain. */
export function offerWallets() {
  if (!isFollowing) {
    isFollowing = true;
    registry.on('register', show);
    registry.on('unregister', show);
  }
  show();
}

function show() {
  const place = document.querySelector('[data-wallets]');
  if (!(place instanceof HTMLElement)) return;
  const known = /** @type {readonly Wallet[]} */ (registry.get());
  const wallets = known.filter((wallet) => canPay(wallet, place.dataset.chain ?? ''));
  place.hidden = wallets.length === 0;
  place.querySelector('ul')?.replaceChildren(...wallets.map((wallet) => offer(wallet, place)));
}

/**
 * @param {Wallet} wallet
 * @param {string} chain
 */
function canPay({ chains, features }, chain) {
  return chains.includes(chain) && CONNECT in features && SEND in features;
}

/**
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 */
function offer(wallet, place) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'primary full wallet';
  const icon = document.createElement('img');
  icon.src = wallet.icon;
  icon.alt = '';
  icon.width = icon.height = 24;
  const label = document.createElement('span');
  label.textContent = (place.dataset.payWith ?? '{wallet}').replace('{wallet}', wallet.name);
  button.append(icon, label);
  button.addEventListener('click', () => pay(wallet, place));
  const item = document.createElement('li');
  item.append(button);
  return item;
}

/**
 * Connect, have the transaction built for this account, let the wallet sign and send it. The page itself learns
 * of the payment from the chain, like of any other.
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 */
async function pay(wallet, place) {
  const { chain = '', pay: payUrl = '', check = '', connecting, approve, sent, refused } = place.dataset;
  const buttons = [...place.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  const enable = () => {
    for (const button of buttons) button.disabled = false;
  };
  tell(place, connecting);
  try {
    const account = await connect(wallet, chain);
    const { transaction } = await post(payUrl, { account: account.address });
    tell(place, approve);
    const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
    await wallet.features[SEND].signAndSendTransaction({ account, transaction: bytes, chain });
    tell(place, sent);
    // The page goes on by itself as soon as the chain has it; until then a second click would pay twice.
    setTimeout(enable, GIVE_UP_MS);
    await post(check, {}).catch(() => undefined);
  } catch (error) {
    tell(place, error instanceof Refusal ? error.message : refused, true);
    enable();
  }
}

/** A transaction that no block has taken by then never will. */
const GIVE_UP_MS = 90_000;

/**
 * @param {Wallet} wallet
 * @param {string} chain
 * @returns {Promise<Account>}
 */
async function connect(wallet, chain) {
  const { accounts } = await wallet.features[CONNECT].connect();
  const account = [...accounts, ...wallet.accounts].find(({ chains }) => chains.includes(chain));
  if (!account) throw new Error('The wallet has no account on this chain.');
  return account;
}

/** What we refuse ourselves is worth showing; what a wallet throws when its owner says no is not. */
class Refusal extends Error {}

/**
 * @param {string} url
 * @param {object} body
 */
async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const value = await answer.json();
  if (!answer.ok) throw new Refusal(value.message);
  return value;
}

/**
 * @param {HTMLElement} place
 * @param {string | undefined} text
 */
function tell(place, text = '', isProblem = false) {
  const line = place.querySelector('[data-progress]');
  if (!(line instanceof HTMLElement)) return;
  line.hidden = false;
  line.className = isProblem ? 'notice bad' : 'notice';
  line.textContent = text;
  announce(text);
}
