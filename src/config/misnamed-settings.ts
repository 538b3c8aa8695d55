import { nearestName } from '../platform/lib/nearest-name.ts';
import { settings } from './settings.ts';

const PREFIX = 'FLORIN_';
/** Names that clients, examples and the command line read from the same environment. */
const OF_CLIENTS = ['URL', 'KEY', 'API_KEY', 'PROJECT', 'WEBHOOK_SECRET'].map((name) => PREFIX + name);
/** Shorter names, such as PORT and HOST, are near to those of other programs. */
const LONG_ENOUGH = 10;
const MOST_CHANGES = 2;

/** A sentence on each variable that looks like a setting and is none, so that a slip of the pen does not go unnoticed. */
export function listMisnamed(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(settings);
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || OF_CLIENTS.includes(name)) return [];
    const meant = findMeant(name, names);
    if (meant === undefined && !name.startsWith(PREFIX)) return [];
    return `${name} is not a setting${meant ? `: did you mean ${meant}?` : ''}`;
  });
}

function findMeant(name: string, names: readonly string[]): string | undefined {
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
  if (bare && names.includes(bare)) return bare;
  const long = names.filter(({ length }) => length >= LONG_ENOUGH);
  return nearestName(name, long, MOST_CHANGES) ?? (bare && nearestName(bare, long, MOST_CHANGES));
}
