import { redact } from '../../platform/lib/redact.ts';
import { ApiFailure, Unreachable } from './client.ts';
import { type Io, painter, Refusal, UsageError, warn } from './io.ts';

/** Runs a command to its end: whatever goes wrong is said on stderr, with what to do about it, and is an exit code. */
export async function runCommand(io: Io, isJson: boolean, command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (isJson && error instanceof ApiFailure && error.text !== '') warn(io, error.text);
    else explain(io, error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function explain(io: Io, error: unknown): void {
  const paint = painter(io, io.stderr);
  const line = (name: string, text: string) => warn(io, `${paint('dim', `${name}:`)} ${redact(text)}`);
  warn(io, `${paint('red', 'error:')} ${redact(headlineOf(error))}`);
  if (error instanceof ApiFailure && error.traceId) line('trace', error.traceId);
  const hint = hintFor(error);
  if (hint) line('hint', hint);
}

function headlineOf(error: unknown): string {
  if (error instanceof ApiFailure) return `${error.code}: ${error.message}`;
  if (error instanceof Unreachable) return `${error.url} does not answer: ${error.message}`;
  return (error as Error).message;
}

const HINTS: Record<string, string> = {
  UNAUTHORIZED: 'The key does not belong to this server or was revoked. Log in again: florin login',
  INSUFFICIENT_SCOPE: 'Create a key with that scope: florin api-keys generate --scopes …',
  WEBHOOK_NOT_CONFIGURED: 'Set one: florin merchant update-webhook --webhook-url https://…',
  IDEMPOTENCY_CONFLICT: 'Use another --idempotency-key to make it a new request.',
  INTERNAL_ERROR: 'Look up the traceId in the server’s log.',
  SERVICE_UNAVAILABLE: 'The server is starting, stopping or without its database. Try again in a moment.',
};

/** Returns what the reader can do about an error; undefined if the message says it all. */
export function hintFor(error: unknown): string | undefined {
  if (error instanceof Refusal || error instanceof UsageError) return error.hint;
  if (error instanceof Unreachable)
    return 'Is Florin running there? Start it with npx florin start, or choose another server with --url or FLORIN_URL.';
  if (!(error instanceof ApiFailure)) return undefined;
  if (error.status === 429) return `Too many requests. Try again in ${error.retryAfter ?? 'a few'} s.`;
  if (error.code === 'NOT_FOUND') return `Searched at ${error.url}, among what your key can access.`;
  if (error.code.startsWith('HTTP_')) return `Check the URL: ${error.url}`;
  return HINTS[error.code];
}
