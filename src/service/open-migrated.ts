import type { Config } from '../config/config.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { Logger } from '../platform/lib/log.ts';
import { type Opened, openStorage } from './open-storage.ts';

/** The database, with the schema of this version. */
export async function openMigrated(
  config: Config,
  purpose: 'service' | 'part',
  log: Logger,
): Promise<Opened> {
  const storage = await openStorage(config, purpose, (message) => log.warn(message));
  try {
    await migrate(storage.db);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}
