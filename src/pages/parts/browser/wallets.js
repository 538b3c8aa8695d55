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
  const { chain = '', check = '' } = place.dataset;
  const { connecting, approve, ownFee, sent, silent, unsure } = place.dataset;
  const enable = disable(place);
  tell(place, connecting);
  // A late answer still continues; a second click in the meantime could pay twice.
  const answered = afterSilence(() => tell(place, silent, true));
  try {
    const [account] = await answered(connect(wallet, chain));
    const built = await build(wallet, account.address, place);
    tell(place, approve);
    try {
      await submit(wallet, account, built, place, answered);
    } catch (error) {
      if (!built.isSponsored || !isAnswered(error)) throw error;
      // This is refused if the first one may be under way after all: so nobody pays twice.
      const own = await build(wallet, account.address, place, { paysFee: true });
      tell(place, ownFee);
      await submit(wallet, account, own, place, answered);
    }
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
 * A wallet that cannot sign without sending pays its own fee: a transaction that it sends has no signature of ours. So does one
 * whose sponsored transaction was refused, such as one that it has added something to.
 * @param {Wallet} wallet
 * @param {string} account
 * @param {HTMLElement} place
 * @param {{ paysFee?: true }} [terms]
 * @returns {Promise<{ transaction: string, isSponsored?: boolean }>}
 */
function build(wallet, account, place, terms = {}) {
  const { pay = '', transaction = '' } = place.dataset;
  return SIGN in wallet.features ? post(transaction, { account, ...terms }) : post(pay, { account });
}

/**
 * @param {Wallet} wallet
 * @param {import('./wallet-list.js').Account} account
 * @param {{ transaction: string, isSponsored?: boolean }} built
 * @param {HTMLElement} place
 * @param {<Answer>(answer: Promise<Answer>) => Promise<Answer>} answered
 */
async function submit(wallet, account, { transaction, isSponsored }, place, answered) {
  const { chain = '', send = '' } = place.dataset;
  const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
  const request = { account, transaction: bytes, chain };
  if (SEND in wallet.features && !isSponsored)
    await answered(wallet.features[SEND].signAndSendTransaction(request));
  else await signAndSend(answered(wallet.features[SIGN].signTransaction(request)), send);
}

/**
 * Sent again, the same transaction is the same payment, so a lost answer is no reason to ask the owner twice.
 * @param {Promise<any>} signing
 * @param {string} url
 */
async function signAndSend(signing, url) {
  const [{ signedTransaction }] = await signing;
  const transaction = btoa(String.fromCharCode(...signedTransaction));
  let cause;
  for (let tries = 1; tries <= 3; tries++) {
    try {
      return await post(url, { transaction });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) throw error;
      cause = error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  throw new Unsure('It may have been sent.', { cause });
}

/**
 * The service has answered, and not that it was asked too often.
 * @param {unknown} error
 */
function isAnswered(error) {
  const answer = error instanceof Unsure ? error.cause : error;
  return answer instanceof Refusal && answer.status !== 429;
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
