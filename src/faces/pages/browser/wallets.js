import { getWallets } from '@wallet-standard/app';
import { announce } from './announce.js';

/**
 * As much of the Wallet Standard as paying needs.
 * @typedef {{ address: string, chains: readonly string[] }} Account
 * @typedef {{ name: string, icon: string, chains: readonly string[], accounts: readonly Account[], features: any }} Wallet
 */

const CONNECT = 'standard:connect';
const SEND = 'solana:signAndSendTransaction';
const SIGN = 'solana:signTransaction';

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
  return chains.includes(chain) && CONNECT in features && (SEND in features || SIGN in features);
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
 * Connect, have the transaction built for this account, let the wallet sign and send it; where it only signs, we
 * send. The page itself learns of the payment from the chain, like of any other.
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 */
async function pay(wallet, place) {
  const { chain = '', pay: payUrl = '', send = '', check = '' } = place.dataset;
  const { connecting, approve, sent, refused, unsure } = place.dataset;
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
    const request = { account, transaction: bytes, chain };
    if (SEND in wallet.features) await wallet.features[SEND].signAndSendTransaction(request);
    else await signAndSend(wallet, request, send);
    tell(place, sent);
    // The page goes on by itself as soon as the chain has it; until then a second click would pay twice.
    setTimeout(enable, GIVE_UP_MS);
    await post(check, {}).catch(() => undefined);
  } catch (error) {
    if (error instanceof Unsure) {
      tell(place, unsure, true);
      setTimeout(enable, GIVE_UP_MS);
      return;
    }
    tell(place, error instanceof Refusal ? error.message : refused, true);
    enable();
  }
}

/**
 * Sent again, the same transaction is the same payment, so a lost answer is no reason to ask the owner twice.
 * @param {Wallet} wallet
 * @param {object} request
 * @param {string} url
 */
async function signAndSend(wallet, request, url) {
  const [{ signedTransaction }] = await wallet.features[SIGN].signTransaction(request);
  const transaction = btoa(String.fromCharCode(...signedTransaction));
  for (let tries = 1; tries <= 3; tries++) {
    try {
      return await post(url, { transaction });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  throw new Unsure();
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
class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** It may be under way, or not: paid again at once, it could be paid twice. */
class Unsure extends Error {}

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
  if (answer.ok) return value;
  // Wallets get the words alone, all others in the envelope of the API.
  throw new Refusal(value.message ?? value.error?.message, answer.status);
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
