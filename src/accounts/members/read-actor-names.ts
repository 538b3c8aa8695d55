import { listKeyNames } from '../../platform/access/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { listMemberNames } from './queries.ts';

export type ActorNames = Map<string, string | null>;

/** Names of the members and keys among these actors, by actor. */
export async function readActorNames(
  db: Queryable,
  merchantId: string,
  actors: readonly string[],
): Promise<ActorNames> {
  const idsOf = (kind: string) =>
    actors
      .filter((actor) => actor.startsWith(`${kind}:`))
      .map((actor) => actor.slice(kind.length + 1))
      .filter(isUuid);
  const [members, keys] = await Promise.all([
    listMemberNames(db, merchantId, idsOf('member')),
    listKeyNames(db, merchantId, idsOf('key')),
  ]);
  return new Map<string, string | null>([
    ...members.map(({ id, name }) => [`member:${id}`, name] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
  ]);
}
