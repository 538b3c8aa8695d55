import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts';
import { checkInvariants, type Invariant } from '../../platform/db/invariant.ts';
import { SCHEMA_FILE } from '../../platform/db/migrations.ts';
import { dumpSchema } from '../../platform/db/schema-dump.ts';
import type { Progress } from '../table-file/format.ts';
import type { BackupSummary } from './format.ts';
import { deleteLeftProofs, deleteProofFolder, makeProofFolder } from './proof-folder.ts';
import { restore } from './restore.ts';

export interface ProofParts {
  /** Invariants that must hold of every database. */
  invariants: readonly Invariant[];
  /** UID the server runs as when we are root. */
  serverUid: number | undefined;
  onProgress?: (progress: Progress) => void;
  /** Ends it, and leaves nothing behind. */
  signal?: AbortSignal | undefined;
}

/** Nobody keeps what it holds, so nothing waits for a disk. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Proves that a backup can be restored by restoring it: into a PostgreSQL of its own, in a temporary folder that is gone
 * afterwards. Every row is read back and compared byte for byte, then the schema and the invariants. Throws why not.
 */
export async function proveBackup(
  input: Readable,
  { invariants, serverUid, onProgress, signal }: ProofParts,
): Promise<BackupSummary> {
  await deleteLeftProofs();
  const dataFolder = await makeProofFolder();
  try {
    signal?.throwIfAborted();
    const server = await startEmbeddedPostgres({
      ...{ dataFolder, purpose: 'command', settings: SETTINGS, serverUid },
    });
    const db = openDatabase({ connection: server.connection, poolSize: 3 });
    const end = () => {
      input.destroy(signal!.reason as Error);
      // A statement that is under way ends with the server.
      void server.stop();
    };
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      const summary = await restore(db, input, onProgress, { readsBack: true });
      await checkRestored(db, invariants);
      return summary;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      await db.close();
      await server.stop();
    }
  } finally {
    input.destroy();
    await deleteProofFolder(dataFolder);
  }
}

async function checkRestored(db: Database, invariants: readonly Invariant[]): Promise<void> {
  if ((await dumpSchema(db)) !== (await readFile(SCHEMA_FILE, 'utf8')))
    throw new Error('the backup was restored, but to another schema than this release makes');
  const broken = (await checkInvariants(db, invariants)).filter(({ violations }) => violations.length > 0);
  if (broken.length > 0)
    throw new Error(
      `the backup was restored, but what must hold of every database does not: ${broken
        .map(({ name, violations }) => `${name} (${violations.join(', ')})`)
        .join('; ')}`,
    );
}
