import { connect, disable, listWallets, post, Refusal, tell } from './wallet-list.js';
import { sentenceFor } from './wallet-problem.js';

/** @typedef {import('./wallet-list.js').Wallet} Wallet */

const SEND = 'solana:signAndSendTransaction';
const SIGN = 'solana:signTransaction';

/** Fills `[data-wallets]` with the wallets that this browser has and that can pay on our chain. */
export function offerWallets() {
  listWallets('[data-wallets]', (features) => SEND in features || SIGN in features, pay, sayNoSol);
}

/**
 * Only a wallet that can sign without sending has its fee paid, so it is said where that is true of all that are offered.
 * @param {HTMLElement} place
 * @param {readonly Wallet[]} wallets
 */
function sayNoSol(place, wallets) {
  const note = place.querySelector('[data-no-sol]');
  if (note instanceof HTMLElement) note.hidden = !wallets.every(({ features }) => SIGN in features);
}

/**
 * Connect, have the transaction built for this account, let the wallet sign and send it; where it only signs, or where
 * the network fee is paid for its owner, we send. The page itself learns of the payment from the chain, like of any other.
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 */
async function pay(wallet, place) {
  const { chain = '', send = '', check = '' } = place.dataset;
  const { connecting, approve, sent, silent, unsure } = place.dataset;
  const enable = disable(place);
  tell(place, connecting);
  // A late answer still continues; a second click in the meantime could pay twice.
  const answered = afterSilence(() => tell(place, silent, true));
  try {
    const [account] = await answered(connect(wallet, chain));
    const { transaction, isSponsored } = await build(wallet, account.address, place);
    tell(place, approve);
    const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
    const request = { account, transaction: bytes, chain };
    if (SEND in wallet.features && !isSponsored)
      await answered(wallet.features[SEND].signAndSendTransaction(request));
    else await signAndSend(answered(wallet.features[SIGN].signTransaction(request)), send);
    tell(place, sent);
    // The page continues as soon as the chain has the payment; until then a second click would pay twice.
    setTimeout(enable, GIVE_UP_MS);
    await post(check, {}).catch(() => undefined);
  } catch (error) {
    if (error instanceof Unsure) {
      tell(place, unsure, true);
      setTimeout(enable, GIVE_UP_MS);
      return;
    }
    tell(place, sentenceFor(error, place.dataset), true);
    enable();
  }
}

/**
 * A wallet that cannot sign without sending pays its own fee: a transaction that it sends has no signature of ours.
 * @param {Wallet} wallet
 * @param {string} account
 * @param {HTMLElement} place
 */
function build(wallet, account, place) {
  const { pay = '', transaction = '' } = place.dataset;
  return post(SIGN in wallet.features ? transaction : pay, { account });
}

/**
 * Sent again, the same transaction is the same payment, so a lost answer is no reason to ask the owner twice.
 * @param {Promise<any>} signing
 * @param {string} url
 */
async function signAndSend(signing, url) {
  const [{ signedTransaction }] = await signing;
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

/**
 * Waits for the wallet, and calls `speak` when it takes too long.
 * @param {() => void} speak
 * @returns {<Answer>(answer: Promise<Answer>) => Promise<Answer>}
 */
function afterSilence(speak) {
  return async (answer) => {
    const timer = setTimeout(speak, SILENT_MS);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Long enough to unlock a wallet and read what it asks. */
const SILENT_MS = 30_000;

/** A transaction that no block has taken by then never will. */
const GIVE_UP_MS = 90_000;

/** It may be under way, or not: paid again at once, it could be paid twice. */
class Unsure extends Error {}
