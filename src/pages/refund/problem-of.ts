import { isSolanaAddress } from '../../platform/lib/base58.ts';
import type { FormProblem } from './messages/messages.ts';

/** Finds the fault of a typed address, as far as that is possible without asking the network. */
export function problemOf(typed: string | undefined): FormProblem | undefined {
  if (typed === undefined) return 'missing';
  if (isSolanaAddress(typed)) return undefined;
  if (isOfOtherNetwork(typed)) return 'other_network';
  if (/\.(sol|eth|bonk|skr)$/i.test(typed)) return 'name';
  return isTruncated(typed) ? 'truncated' : 'malformed';
}

/** Ethereum and its kin, Bitcoin, and Tron, where most other dollars are. */
function isOfOtherNetwork(typed: string): boolean {
  return (
    /^0x[0-9a-f]{40}$/i.test(typed) || /^bc1[0-9a-z]{20,}$/i.test(typed) || /^T[0-9A-Za-z]{33}$/.test(typed)
  );
}

const SHORTEST = 32;
/** The letters of an address, but fewer of them; or with dots where wallets leave out the middle. */
function isTruncated(typed: string): boolean {
  const parts = typed.split(/…|\.{2,}/);
  const isOfAddress = parts.every((part) => /^[1-9A-HJ-NP-Za-km-z]*$/.test(part));
  return isOfAddress && (parts.length > 1 || typed.length < SHORTEST);
}
