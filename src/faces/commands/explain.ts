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
  UNAUTHORIZED: 'The key is not one of this server, or no longer. Log in again: florin login',
  INSUFFICIENT_SCOPE: 'A key with that scope is made with: florin api-keys generate --scopes …',
  WEBHOOK_NOT_CONFIGURED: 'Set one with: florin merchant update-webhook --webhook-url https://…',
  IDEMPOTENCY_CONFLICT: 'Another --idempotency-key makes it a new request.',
  INTERNAL_ERROR: 'The trace is in the server’s log.',
  SERVICE_UNAVAILABLE: 'The server is starting, stopping or without its database. Try again in a moment.',
};

/** What the reader can do about it; undefined where the message says it all. */
export function hintFor(error: unknown): string | undefined {
  if (error instanceof Refusal || error instanceof UsageError) return error.hint;
  if (error instanceof Unreachable)
    return 'Is Florin running there? npx florin start starts one; --url or FLORIN_URL name another.';
  if (!(error instanceof ApiFailure)) return undefined;
  if (error.status === 429) return `Too many requests. Try again in ${error.retryAfter ?? 'a few'} s.`;
  if (error.code === 'NOT_FOUND') return `It was looked for at ${error.url}, among what your key can see.`;
  if (error.code.startsWith('HTTP_')) return `Check the URL: ${error.url}`;
  return HINTS[error.code];
}
