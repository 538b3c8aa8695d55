import type { Tx } from '../platform/db/database.ts';
import { realNow } from '../platform/lib/clock.ts';
import { newId } from '../platform/lib/ids.ts';
import { emails } from './emails.ts';

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
  const row = { ...email, id: newId(now), kind: 'trial_confirmation', number: 1 };
  await emails.insert(tx, { ...row, nextAttemptAt: now, createdAt: now });
}
