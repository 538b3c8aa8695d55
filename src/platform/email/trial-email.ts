import type { Queryable, Tx } from '../db/database.ts';
import { realNow } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';

export type TrialLinkKind = 'trial_confirmation';

/** The facts of an e-mail to an address that somebody typed to start a trial. */
export interface TrialLinkFacts {
  /** Language of the page where it was typed. */
  language: string;
  /** The address; it is not kept once nothing is left to send. */
  to?: string;
  /** Stored apart and sealed, as `claimUrl`. */
  startUrl?: string;
}

export interface NewTrialEmail {
  merchantId: string;
  projectId: string;
  facts: TrialLinkFacts & { mailbox: string };
  sealedLink: Buffer;
}

/** Writes the e-mail in the transaction that asks for the trial. There is no customer yet. */
export async function queueTrialEmail(tx: Tx, email: NewTrialEmail): Promise<void> {
  if (!tx.queuesEmails) return;
  const now = realNow();
  await insertTrialEmail(tx, { ...email, id: newId(now) }, now);
}

async function insertTrialEmail(
  tx: Queryable,
  { merchantId, id, projectId, facts, sealedLink }: NewTrialEmail & { id: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into emails (merchant_id, id, project_id, kind, number, facts, sealed_link, next_attempt_at, created_at)
     values ($1, $2, $3, 'trial_confirmation', 1, $4, $5, $6, $6)`,
    [merchantId, id, projectId, JSON.stringify(facts), sealedLink, now],
  );
}
