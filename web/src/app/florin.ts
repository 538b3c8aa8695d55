import { Florin, FlorinError } from '@florin/sdk';

let csrfToken: string | undefined;

/** Every change carries the token of the session that is open now. */
export function rememberCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** The service this page came from, called as whoever is signed in. */
export const florin = new Florin({
  baseUrl: '',
  credentials: 'same-origin',
  maxRetries: 1,
  headers: (): Record<string, string> => (csrfToken === undefined ? {} : { 'X-CSRF-Token': csrfToken }),
});

/** What went wrong, for people. */
export function messageOf(error: unknown): string {
  if (!(error instanceof FlorinError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'CONNECTION_FAILED') return 'The service cannot be reached. Check your connection.';
  if (error.code === 'TIMEOUT') return 'The service did not answer in time. Look before you try again.';
  if (error.code === 'INSUFFICIENT_ROLE') return 'Your role does not allow this. Ask an owner.';
  if (error.status === 429 && error.retryAfterSeconds) {
    return `Too many tries. Wait ${waitText(error.retryAfterSeconds)}, then try again.`;
  }
  return error.message;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof FlorinError ? error.code : undefined;
}

const waitText = (seconds: number) =>
  seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
