import type { Database } from '../db/database.ts';
import type { Logger } from '../lib/log.ts';
import { waitedForBy } from '../lib/request-wait.ts';
import { OpenStreams } from './open-streams.ts';
import {
  listIntentVersions,
  listRefundVersions,
  listTerminalVersions,
  listTillVersions,
  type Seen,
} from './queries.ts';

/** A refund is named by the hash of its claim link's token. */
export type Subject = { kind: 'intent' | 'terminal' | 'till' | 'refund'; id: string };

export interface Follower {
  /** Called with the version as it is now, and again whenever it changes. */
  tell(version: string): void;
  /** Called when there will be no more updates. */
  end(): void;
}

export interface LiveVersions {
  /** The answer ends it. */
  follow(subject: Subject, follower: Follower): () => void;
  /** The version at this moment; undefined for what does not exist. */
  read(subject: Subject): Promise<string | undefined>;
  /** How many pages are open. */
  count(): number;
  /** Open streams by client. */
  streams: OpenStreams;
  stop(): void;
}

/** How soon a change is seen: well inside the two seconds a payer is willing to wonder. */
const LOOK_MS = 400;
/** An unreachable database is polled less often. */
const RETRY_MS = 2_000;

interface Followed {
  subject: Subject;
  version: string | undefined;
  followers: Set<Follower>;
}

/**
 * Polls the versions that all open pages of this process follow: one query per kind and poll, whether one page is open
 * or thousands, and none without pages.
 */
export function liveVersions(db: Database, log: Logger, streamsPerAddress: number): LiveVersions {
  const followed = new Map<string, Followed>();
  let pages = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(waitMs: number): void {
    if (timer || isStopped || followed.size === 0) return;
    timer = setTimeout(() => {
      // For all pages: the request that opened the first of them is not what waits.
      waitedForBy(undefined, () => readChanges(db, followed))
        .then(
          () => LOOK_MS,
          (error: unknown) => {
            log.warn({ err: error }, 'live updates for open pages failed; retrying');
            return RETRY_MS;
          },
        )
        .then((nextMs) => {
          timer = undefined;
          schedule(nextMs);
        });
    }, waitMs);
    timer.unref();
  }

  return {
    follow(subject, follower) {
      const key = `${subject.kind} ${subject.id}`;
      const entry = followed.get(key) ?? { subject, version: undefined, followers: new Set() };
      followed.set(key, entry);
      entry.followers.add(follower);
      pages++;
      if (entry.version !== undefined) follower.tell(entry.version);
      schedule(0);
      return () => {
        if (!entry.followers.delete(follower)) return;
        pages--;
        if (entry.followers.size === 0) followed.delete(key);
      };
    },
    async read({ kind, id }) {
      const [seen] = await LISTS[kind](db, [id]);
      return seen?.version;
    },
    count: () => pages,
    streams: new OpenStreams(streamsPerAddress),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const { followers } of followed.values()) for (const follower of followers) follower.end();
      followed.clear();
    },
  };
}

/** Queries once per kind what is new, and passes it on. */
async function readChanges(db: Database, followed: ReadonlyMap<string, Followed>): Promise<void> {
  for (const [kind, list] of Object.entries(LISTS)) {
    const ids = [...followed.values()]
      .filter(({ subject }) => subject.kind === kind)
      .map(({ subject }) => subject.id);
    if (ids.length === 0) continue;
    for (const { id, version } of await list(db, ids)) notifyOf(followed.get(`${kind} ${id}`), version);
  }
}

const LISTS: Record<Subject['kind'], (db: Database, ids: readonly string[]) => Promise<Seen[]>> = {
  intent: listIntentVersions,
  terminal: listTerminalVersions,
  till: listTillVersions,
  refund: listRefundVersions,
};

function notifyOf(entry: Followed | undefined, version: string): void {
  if (!entry || entry.version === version) return;
  entry.version = version;
  for (const follower of entry.followers) follower.tell(version);
}
