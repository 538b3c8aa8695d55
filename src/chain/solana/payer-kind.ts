import { EXCHANGE_WALLETS } from './exchange-wallets.ts';
import { isOffCurve } from './off-curve.ts';

export const PAYER_KINDS = ['wallet', 'program', 'exchange'] as const;
export type PayerKind = (typeof PAYER_KINDS)[number];

export const PAYER_KIND =
  'Kind of that address. wallet: somebody has its key, who may still be an exchange that is not known here. program: no key exists for it, because the money came out of a swap, a bridge, a contract or a multisig’s vault. exchange: a known wallet of an exchange, which many customers share. Send money back to a wallet only, and only if the customer says that it is theirs.';

/** The kind of address that money came from. What the token program moves without a key it moves for a program. */
export function payerKindOf(address: string | null): PayerKind | null {
  if (address === null) return null;
  if (EXCHANGE_WALLETS.has(address)) return 'exchange';
  return isOffCurve(address) ? 'program' : 'wallet';
}
