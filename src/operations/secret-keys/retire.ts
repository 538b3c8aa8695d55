import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { lockSealedTables } from './queries.ts';
import { countOthers, readSealed } from './read-sealed.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

/** Runs `dropOldKeys` only when nothing is sealed with them, and while nothing can be. Returns what still is. */
export async function retireOldKeys(
  db: Database,
  secrets: SecretBox,
  dropOldKeys: () => Promise<void>,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockSealedTables(tx, SEALED_TABLES);
    const others = countOthers(await readSealed(tx), secrets.keyIds()[0]!);
    if (others === 0) await dropOldKeys();
    return others;
  });
}
