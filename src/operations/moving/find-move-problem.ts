import { reasonOf } from '../../platform/db/database-errors.ts';
import { parseJson } from '../../platform/lib/json.ts';
import { moveStatePath } from './routes.ts';

const TIMEOUT_MS = 10_000;

/**
 * Asks an installation whether a merchant is open there; undefined if it is, otherwise what a person should know. The
 * merchant's id is all that is sent, and no redirect is followed: callers would be sent to the address as it was given.
 */
export async function findMoveProblem(address: string, merchantId: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(address + moveStatePath(merchantId), { redirect: 'manual', signal });
    text = await answer.text();
  } catch (error) {
    const { cause = error } = error as Error;
    return `${address} cannot be reached: ${reasonOf(cause)}`;
  }
  const location = answer.headers.get('location');
  if (location !== null)
    return `${address} redirects to ${location}, so it is not the PUBLIC_URL of an installation`;
  if (answer.status === 404) return `the merchant is not at ${address}: import it there first`;
  const state = answer.ok ? stateIn(text) : undefined;
  if (state === undefined)
    return `${address} answered with status ${answer.status}, not as an installation of Florin would`;
  return state === 'open' ? undefined : `the merchant is at ${address}, but closed there too (${state})`;
}

function stateIn(text: string): string | undefined {
  try {
    const { state } = parseJson(text) as { state?: unknown };
    return typeof state === 'string' ? state : undefined;
  } catch {
    return undefined;
  }
}
