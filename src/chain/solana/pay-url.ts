import { type BaseUnits, unitsToDecimal } from '../../platform/lib/money.ts';
import { USDC_DECIMALS } from './network.ts';

export interface TransferRequest {
  destination: string;
  amountBaseUnits: BaseUnits;
  mint: string;
  /** Absent where the amount names the order, for wallets that refuse a code with a reference. */
  reference?: string;
  label?: string | null;
  message?: string | null;
  /** It is public on chain, so it must contain nothing that opens a page. */
  memo?: string | null;
}

const MAX_U64 = 2n ** 64n - 1n;
/** Characters of the URL, where one of a name in Chinese takes nine. A code that holds more is hard to scan. */
const MAX_LABEL = 300;
const MAX_MESSAGE = 400;

/** A Solana Pay transfer request; undefined for an amount no token transfer can carry, or for nothing due. */
export function transferRequestUrl(request: TransferRequest): string | undefined {
  if (request.amountBaseUnits <= 0n || request.amountBaseUnits > MAX_U64) return undefined;
  const fields: [string, string | null | undefined][] = [
    ['amount', toDecimal(request.amountBaseUnits)],
    ['spl-token', request.mint],
    ['reference', request.reference],
    ['label', shortened(request.label, MAX_LABEL)],
    ['message', shortened(request.message, MAX_MESSAGE)],
    ['memo', request.memo],
  ];
  const query = fields
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join('&');
  return `solana:${request.destination}?${query}`;
}

/** Cut between characters, with a sign that it was. */
function shortened(text: string | null | undefined, maxEncoded: number): string | null | undefined {
  if (!text || encodeURIComponent(text).length <= maxEncoded) return text;
  let left = maxEncoded - encodeURIComponent('…').length;
  let kept = '';
  for (const character of text) {
    left -= encodeURIComponent(character).length;
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Makes a wallet ask `url` for the transaction to sign. */
export function transactionRequestUrl(url: string): string {
  return `solana:${encodeURIComponent(url)}`;
}

/** 12500000 base units are exactly "12.5". No float ever holds an amount. */
export function toDecimal(units: BaseUnits): string {
  return unitsToDecimal(units, USDC_DECIMALS);
}
