const MAX_CHARS = 64;
const UNKNOWN = 'unknown client';

/**
 * Cleans the name that an assistant's program gives itself for the audit log: one line of printable characters. The
 * name is only the program's claim.
 */
export function cleanClientName(name: unknown, version?: unknown): string {
  const text = [name, version].filter((part) => typeof part === 'string').join(' ');
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim();
  return [...plain].slice(0, MAX_CHARS).join('').trim() || UNKNOWN;
}

const SESSION_PREFIX = 'florin-';

/**
 * Before revision 2026-07-28 a client says its name only once, when it connects, and nothing is stored here. So the name
 * itself is the session's id, which the client sends with every later request.
 */
export function sessionIdOf(client: string): string {
  return SESSION_PREFIX + Buffer.from(client).toString('base64url');
}

export function clientOfSession(sessionId: string | undefined): string | undefined {
  if (!sessionId?.startsWith(SESSION_PREFIX)) return undefined;
  return cleanClientName(Buffer.from(sessionId.slice(SESSION_PREFIX.length), 'base64url').toString('utf8'));
}
