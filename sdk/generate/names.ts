import { readFileSync } from 'node:fs';

/**
 * Place of each operation of openapi.json in the client: `resource.method`, as its route says, in the order of
 * src/routes.txt. The command line has the same words: `florin resource method`. Version 1 of billing (`…V1`) has no
 * names of its own: the client asks version 2.
 */
const rows = readFileSync(new URL('../../src/routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/ {2,}/));

export const names: Record<string, string> = Object.fromEntries(rows.map(([, id, name]) => [id, name]));

/** POSTs that may be sent twice without a key: they change nothing, or each record carries a key of its own. */
export const repeatable: ReadonlySet<string> = new Set(
  rows.filter((cells) => cells.includes('repeatable')).map(([, id]) => id!),
);
