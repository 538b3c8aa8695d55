import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { dumpSchema } from '../../src/platform/db/schema-dump.ts';

/** `npm run schema`: migrates an empty database and writes what came out to migrations/schema.sql. */
const dataFolder = await mkdtemp(join(tmpdir(), 'florin-schema-'));
const server = await startEmbeddedPostgres({ dataFolder, purpose: 'command', settings: { fsync: 'off' } });
const db = openDatabase({ connection: server.connection });
try {
  await migrate(db);
  const path = join(import.meta.dirname, '../../migrations/schema.sql');
  await writeFile(path, await dumpSchema(db));
} finally {
  await db.close();
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
}
