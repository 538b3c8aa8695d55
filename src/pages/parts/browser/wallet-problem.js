import { OtherNetwork, Refusal } from './wallet-list.js';

/**
 * The sentence for what a wallet says when it does not pay. Wallets have no common codes beyond the first, so the others are
 * recognized by the words that Solana's own programs and nodes use.
 * @param {unknown} error
 * @param {DOMStringMap} texts
 * @returns {string | undefined}
 */
export function sentenceFor(error, texts) {
  if (error instanceof Refusal) return sentenceForRefusal(error, texts);
  if (error instanceof OtherNetwork) return texts.otherNetwork;
  const words = wordsOf(error);
  if (codeOf(error) === USER_REJECTED || REJECTED.test(words)) return texts.refused;
  if (OTHER_NETWORK.test(words)) return texts.otherNetwork;
  // Both errors have the same number; only the one about SOL mentions lamports.
  if (MONEY_MISSING.test(words) && !/lamports/i.test(words)) return texts.moneyMissing;
  if (FEE_MISSING.test(words)) return texts.feeMissing;
  return texts.walletFailed;
}

/**
 * The service writes English, and says exactly what is wrong; in other languages the page has its own, more general words.
 * @param {Refusal} refusal
 * @param {DOMStringMap} texts
 */
function sentenceForRefusal({ status, message, mustWait }, { tooMany, unavailable, notTaken, unsure }) {
  if (status === 429) return tooMany;
  if (document.documentElement.lang === 'en') return message;
  if (status >= 500) return unavailable;
  return mustWait ? unsure : notTaken;
}

/** Error code of a refusal by the user, on every chain. */
const USER_REJECTED = 4001;
const REJECTED = /reject|denied|declined|cancel|closed the/i;
const OTHER_NETWORK =
  /(wrong|different|unsupported|other|mismatch).{0,20}(network|cluster|chain)|(network|cluster|chain) mismatch/i;
/** The token program's first error: too little of the token. */
const MONEY_MISSING = /custom program error: 0x1\b|insufficient (token|usdc)/i;
const FEE_MISSING =
  /lamports|insufficient (sol|funds|balance)|not enough sol|prior credit|debit an account|InsufficientFunds(ForFee|ForRent)/i;

/** @param {unknown} error */
function wordsOf(error) {
  return error instanceof Error ? `${error.name} ${error.message}` : JSON.stringify(error ?? '');
}

/** @param {unknown} error */
function codeOf(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
