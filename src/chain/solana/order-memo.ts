import { isSolanaAddress } from '../../platform/lib/base58.ts';

const PREFIX = 'florin:';
/** Comes after the reference where a program has paid by that protocol without our fee payer. */
const MPP = '/mpp';

/**
 * The memo of a transaction that we have built or asked for: it names what it pays by its reference, which is public
 * anyway. An intent's id is not: anyone who knows it can open its page.
 */
export function orderMemo(reference: string, via?: 'mpp'): string {
  return `${PREFIX}${reference}${via ? MPP : ''}`;
}

/** The references that memos name, in their order. */
export function namedInMemos(memos: readonly string[]): string[] {
  return memos.flatMap((memo) => readMemo(memo)?.reference ?? []);
}

/** True if a memo says that this was requested through the Machine Payments Protocol. */
export function isOfMpp(memos: readonly string[], reference: string): boolean {
  return memos.some((memo) => memo === orderMemo(reference, 'mpp'));
}

function readMemo(memo: string): { reference: string } | undefined {
  if (!memo.startsWith(PREFIX)) return undefined;
  const end = memo.endsWith(MPP) ? -MPP.length : undefined;
  const reference = memo.slice(PREFIX.length, end);
  return isSolanaAddress(reference) ? { reference } : undefined;
}
