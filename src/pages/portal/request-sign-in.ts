import { hash } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Language } from '../../platform/lib/language.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import type { SignInPlace } from './read-sign-in.ts';
import { portalSignIns } from './sign-in-queries.ts';

/**
 * Notes that somebody wants a link, and nothing else: whether the address is a customer's is looked up later, so neither the
 * answer nor the time it takes tells.
 */
export async function requestSignIn(
  db: Database,
  { merchantId, projectId }: SignInPlace,
  email: string,
  { language, ip }: { language: Language; ip: string },
): Promise<void> {
  // Links are e-mails, so their time is real, whatever the sandbox's clock says.
  const now = realNow();
  const askedFromHash = hash('sha256', `${projectId} ${networkOf(ip)}`, 'hex');
  await portalSignIns.insert(db, {
    id: newId(now),
    merchantId,
    projectId,
    email,
    language,
    askedFromHash,
    createdAt: now,
  });
}
