import type { Queryable } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { BEHIND, type Decision } from './agree.ts';
import {
  deleteOldDisagreements,
  listUndecided,
  updateDecided,
  upsertDisagreements,
} from './disagreement-queries.ts';
import type { Question } from './question.ts';

export interface Disagreements {
  /** True if a transaction is on record as undecided, also from before a restart. */
  isOpen(question: Question): Promise<boolean>;
  note(question: Question, decision: Decision): Promise<void>;
}

export interface DisagreementParts {
  /** The nodes by host. */
  names: readonly string[];
  log: Logger;
  /** A node is on record with one more transaction. */
  onDisagreement?: (node: number) => void;
}

const KEEP_MS = 90 * DAY_MS;

/** Keeps the record of what nodes contradict each other about; each node and transaction is logged and counted once. */
export function disagreementRecord({ names, log, onDisagreement }: DisagreementParts): Disagreements {
  let loading: Promise<Set<string>> | undefined;
  /** Signatures of undecided transactions, other processes' included: every watcher follows every payment. */
  async function openOnes(db: Queryable): Promise<Set<string>> {
    loading ??= listUndecided(db).then((signatures) => new Set(signatures));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  async function note(question: Question, { outcome, claim, disputed }: Decision): Promise<void> {
    const { db, signature, now } = question;
    const destination = question.destination.owner;
    const isDecided = outcome !== 'undecided';
    const isRefuted = outcome === 'gone';
    const decidedAt = isDecided ? now : null;
    const wrong = disputed.filter((one) => one.claim !== claim && !(isDecided && one.claim === BEHIND));
    const rows = wrong.map((one) => ({
      ...{ signature, destination, claim: one.claim, decidedAt, isRefuted },
      node: names[one.node]!,
    }));
    const fresh = rows.length > 0 ? await upsertDisagreements(db, rows, now) : [];
    const open = await openOnes(db);
    if (isDecided) {
      await updateDecided(db, { signature, destination, rightClaims: [claim!, BEHIND], isRefuted }, now);
      open.delete(signature);
    } else open.add(signature);
    if (fresh.length === 0) return;
    await deleteOldDisagreements(db, new Date(now.getTime() - KEEP_MS));
    for (const one of wrong) if (fresh.includes(names[one.node]!)) onDisagreement?.(one.node);
    const claims = Object.fromEntries(disputed.map((one) => [names[one.node]!, one.claim]));
    log.warn({ signature, destination, outcome, claims }, 'Solana nodes contradict each other');
  }

  return { note, isOpen: async ({ db, signature }) => (await openOnes(db)).has(signature) };
}

/** The part of a node's URL that may be shown: its path may hold a key. */
export function nodeName(url: string): string {
  return new URL(url).host;
}
