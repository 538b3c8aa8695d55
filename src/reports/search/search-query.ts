import { isSignature, isSolanaAddress } from '../../platform/lib/base58.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { parseMetadataTerm } from '../../platform/lib/metadata.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';

/** Everything that a typed text may mean. It may well mean several: 1250 is an amount and how an order begins. */
export interface Wanted {
  /** The text as it may have been written: what people type is rarely in the case they once gave. */
  texts: string[];
  id: string | null;
  reference: string | null;
  signature: string | null;
  amountCents: bigint | null;
  refundNumber: bigint | null;
  /** `key:value`, exactly so. */
  metadata: { key: string; value: string } | null;
}

export function parseSearchQuery(typed: string): Wanted {
  const text = lastPart(typed.trim().normalize());
  return {
    texts: [...new Set([text, text.toLowerCase(), text.toUpperCase(), capitalized(text)])],
    id: isUuid(text) ? text.toLowerCase() : null,
    reference: isSolanaAddress(text) ? text : null,
    signature: isSignature(text) ? text : null,
    amountCents: readAmount(text),
    refundNumber: readRefundNumber(text),
    metadata: parseMetadataTerm(typed.trim()) ?? null,
  };
}

/** Extracts from a pasted page address what it names: a checkout's or a link's token, an explorer's signature. */
function lastPart(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const parts = text.split(/[?#]/)[0]!.split('/').slice(3);
  return parts.findLast((part) => part !== '') ?? text;
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text.toLowerCase();
  return first.toUpperCase() + rest.join('');
}

/** `RF-000042`, with or without its zeros. */
function readRefundNumber(text: string): bigint | null {
  const [, digits] = /^rf-(\d{1,18})$/i.exec(text) ?? [];
  return digits === undefined ? null : BigInt(digits);
}

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d{1,2}))?$/;

/** `12`, `12.5`, `12,50`, `$1,250.00`, `12.50 USDC`: an amount of money, in cents. */
function readAmount(text: string): bigint | null {
  const bare = text.replace(/^\$\s*|\s*(usdc?|\$)$/gi, '');
  const [, whole, fraction = ''] = AMOUNT.exec(bare) ?? [];
  if (whole === undefined) return null;
  const cents = BigInt(whole.replaceAll(',', '') + fraction.padEnd(2, '0'));
  return cents > 0n && cents <= MAX_INT64 ? cents : null;
}
