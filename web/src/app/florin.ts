import { Florin, FlorinError } from '@florin/sdk';
import { t, tn } from '../words/t.ts';
import { withFieldInWords } from './field-words.ts';

let csrfToken: string | undefined;

/** Every change carries the token of the session that is open now. */
export function rememberCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** The service this page came from, called as the signed-in member. */
export const florin = new Florin({
  baseUrl: '',
  credentials: 'same-origin',
  maxRetries: 1,
  headers: (): Record<string, string> => (csrfToken === undefined ? {} : { 'X-CSRF-Token': csrfToken }),
});

/** Returns an error's message for people. */
export function messageOf(error: unknown): string {
  if (!(error instanceof FlorinError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'CONNECTION_FAILED') return t('Can’t reach the server. Check your connection.');
  if (error.code === 'TIMEOUT')
    return t('The server took too long to respond. Check whether it worked before you try again.');
  if (error.code === 'INSUFFICIENT_ROLE') return t('Your role doesn’t allow this. Ask an owner.');
  if (error.status === 429 && error.retryAfterSeconds) return tooManyText(Math.ceil(error.retryAfterSeconds));
  return withFieldInWords(error.message);
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof FlorinError ? error.code : undefined;
}

const tooManyText = (seconds: number) =>
  seconds < 60
    ? tn(
        seconds,
        'Too many attempts. Try again in {count} second.',
        'Too many attempts. Try again in {count} seconds.',
      )
    : tn(
        Math.ceil(seconds / 60),
        'Too many attempts. Try again in {count} minute.',
        'Too many attempts. Try again in {count} minutes.',
      );
