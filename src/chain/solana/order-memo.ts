import { isSolanaAddress } from '../../platform/lib/base58.ts';

const PREFIX = 'florin:';

/**
 * The memo of a transaction that we have built or asked for: it names what it pays by its reference, which is public
 * anyway. An intent's id is not: anyone who knows it can open its page.
 */
export function orderMemo(reference: string): string {
  return `${PREFIX}${reference}`;
}

/** The references that memos name, in their order. */
export function namedInMemos(memos: readonly string[]): string[] {
  const named = memos.filter((memo) => memo.startsWith(PREFIX)).map((memo) => memo.slice(PREFIX.length));
  return named.filter(isSolanaAddress);
}
