import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { isReadOnly } from '../platform/db/installation.ts';
import { readSchemaState } from '../platform/db/schema-state.ts';
import { announceClose, leaveConnectionsToOthers } from '../platform/http/drain-server.ts';
import type { App } from '../platform/http/route.ts';
import type { Watched } from './watch-database.ts';

const READY_PATIENCE_MS = 3_000;

/** A connection that was just accepted has sent its request by then. */
const LEAST_LEAVE_MS = 1_000;

/** The answer to whether traffic should come, and the two ways in which a process makes it go elsewhere before it stops. */
export function readinessOf(config: Config, db: Database, watched: Watched) {
  const graceMs = config.STOP_GRACE_SECONDS * 1_000;
  let isDraining = false;
  return {
    readiness: async () =>
      isDraining
        ? 'stopping'
        : (watched.problem() ??
          watched.writeProblem?.() ??
          (await problemOf(db.withPatience(READY_PATIENCE_MS)))),
    /** Serves on, and says that it will not for long. */
    async announceStop(app: App) {
      isDraining = true;
      announceClose(app);
      await sleep(graceMs);
    },
    /** Lets the other processes on the same port have new connections: to the world, nothing stops. */
    async leave(app: App) {
      leaveConnectionsToOthers(app);
      announceClose(app);
      await sleep(Math.max(graceMs, LEAST_LEAVE_MS));
    },
  };
}

/** Returns the reason why the database cannot be worked with, if there is one. */
async function problemOf(db: Database): Promise<string | undefined> {
  const { pending, problem } = await readSchemaState(db);
  if (problem) return problem;
  if (pending > 0) return 'the database has pending migrations';
  if (await isReadOnly(db)) return 'the database takes no writes';
  return db.isDiskFull() ? 'the disk of the database is full' : undefined;
}
