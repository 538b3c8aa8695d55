import type { WireMessage } from './wire-transaction.ts';

export const MEMO_PROGRAMS: readonly string[] = [
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
];

/** The memos of a message the way lists of signatures show them: length in brackets, then the text. */
export function memoOf(message: WireMessage): string | null {
  const memos = message.instructions
    .filter((instruction) => MEMO_PROGRAMS.includes(message.staticKeys[instruction.programIndex]!))
    .map(({ data }) => `[${data.length}] ${textOf(data)}`);
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return '(unparsable)';
  }
}
