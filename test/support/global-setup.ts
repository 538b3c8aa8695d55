import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureDashboardBuilt } from '../../src/pages/dashboard/build-dashboard.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { fastFolder } from './fast-folder.ts';
import { requirePackages } from './own-packages.ts';
import { TEMPLATE } from './template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dataFolder: string;
    /** Folder to copy; see data-folder.ts. */
    migratedFolder: string;
  }
}

/** Its tests import what other people's programs run, in a hundred megabytes of packages. */
const INTEROP = join(import.meta.dirname, '../interop');

/** One real PostgreSQL for the whole run; every test database is cloned from a migrated template in it. */
export default async function setup(project: TestProject) {
  await ensureDashboardBuilt((line) => process.stdout.write(`${line}\n`));
  if (project.vitest.state.getPaths().some((path) => path.startsWith(`${INTEROP}/`)))
    requirePackages(INTEROP);
  const memory = await fastFolder();
  if (memory) process.env.TMPDIR = memory;
  const dataFolder = await mkdtemp(join(tmpdir(), 'florin-test-'));
  // The compile cache is shared by the workers and the services they start. It is kept: a worker that is just ending
  // still writes there, and would race with its removal.
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/florin-tests');
  const migratedFolder = await mkdtemp(join(tmpdir(), 'florin-migrated-'));
  await makeMigrated(dataFolder);
  execFileSync('cp', ['-a', `${dataFolder}/.`, migratedFolder]);
  const settings = {
    ...{ fsync: 'off', full_page_writes: 'off', max_connections: '600' },
    // There are hundreds of databases here, each of them visited in that time.
    autovacuum_naptime: '1min',
  };
  const server = await startEmbeddedPostgres({ dataFolder, purpose: 'service', settings });
  const admin = openDatabase({ connection: { ...server.connection, database: 'postgres' } });
  await admin.query(`alter database florin rename to ${TEMPLATE}`);
  await admin.close();
  project.provide('dataFolder', dataFolder);
  project.provide('migratedFolder', migratedFolder);
  return async () => {
    await server.stop();
    for (const folder of memory ? [memory] : [dataFolder, migratedFolder])
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
}

/** Migrates a database, which takes most of the time of a service's first start. */
async function makeMigrated(dataFolder: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataFolder, purpose: 'command', settings: { fsync: 'off' } });
  const db = openDatabase({ connection: server.connection });
  await migrate(db);
  await db.close();
  await server.stop();
}
