import { queueTrialEmail } from '../../email/trial-email.ts';
import type { Tx } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Language } from '../../platform/lib/language.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { countTrialsAskedFor } from '../checkout-sessions/creation-queries.ts';
import type { Session } from '../checkout-sessions/session.ts';
import { trialUrl } from './trial-link.ts';

/** More would only fill the mailbox; those that it has still work. */
const MAX_PER_DAY = 5;

export interface TrialLinkParts {
  secrets: SecretBox;
  publicUrl(): string;
}

/** Mails the link that begins a stranger's trial to the address they typed. */
export async function mailTrialLink(
  tx: Tx,
  { secrets, publicUrl }: TrialLinkParts,
  session: Session,
  language: Language,
): Promise<void> {
  const since = new Date(session.createdAt.getTime() - DAY_MS);
  if ((await countTrialsAskedFor(tx, session, since)) > MAX_PER_DAY) return;
  const { merchantId, projectId, customerEmail } = session;
  const sealedLink = secrets.seal(trialUrl(secrets, session, publicUrl()));
  await queueTrialEmail(tx, {
    merchantId,
    projectId,
    facts: { language, mailbox: customerEmail! },
    sealedLink,
  });
}
