import { endEmailChange } from '../../accounts/customers/change-email-change.ts';
import type { EmailChange } from '../../accounts/customers/email-change.ts';
import { findEmailChangeByToken } from '../../accounts/customers/email-change-queries.ts';
import { patchCustomer } from '../../accounts/customers/patch-customer.ts';
import { lockCustomer } from '../../accounts/customers/queries.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { actorOf, hashSecret, type Visitor } from './portal-session.ts';
import { listSharing } from './queries.ts';
import { findSignInPath } from './read-sign-in.ts';

/** Makes an address the customer's, once. The link proves that its reader has the mailbox, in any browser. */
export async function confirmEmailChange(db: Database, token: string, now: Date): Promise<EmailChange> {
  const tokenHash = hashSecret(token);
  return db.transaction(async (tx) => {
    const change = await findEmailChangeByToken(tx, tokenHash, now);
    if (!change)
      throw new AppError('PORTAL_SESSION_REQUIRED', {
        message: 'This link does not work; ask for a new one.',
      });
    // The customer first, as everywhere; what has changed until then counts.
    await lockCustomer(tx, change.merchantId, change.customerId);
    if (!(await findEmailChangeByToken(tx, tokenHash, now))?.isOpen)
      throw new AppError('PORTAL_LINK_EXPIRED');
    await endEmailChange(tx, change, 'confirmed');
    await applyAddress(tx, change, now);
    return change;
  });
}

/**
 * Sets the address on all customers of this person, if the visit that requested it had proven the old address; else
 * on this one.
 */
async function applyAddress(tx: Tx, change: EmailChange, now: Date): Promise<void> {
  const { merchantId, customerId, email, isByEmail } = change;
  const others = isByEmail ? await listSharing(tx, change) : [];
  const actor = `portal:${change.id}`;
  for (const id of [customerId, ...others]) {
    // Merged just now: the address is that of the other one.
    if ((await lockCustomer(tx, merchantId, id))?.mergedIntoId !== null) continue;
    await patchCustomer(tx, { merchantId, id, actor, emailSource: 'mailbox', change: { email }, now });
  }
}

/** Forgets the address that waits; nothing happens where none does. */
export async function withdrawEmailChange(tx: Tx, visitor: Visitor, now: Date): Promise<void> {
  const { merchantId, customerId } = visitor;
  const changeId = await endEmailChange(tx, visitor, 'withdrawn');
  if (changeId === undefined) return;
  await recordAudit(tx, {
    merchantId,
    actor: actorOf(visitor),
    action: 'customer.email_change_withdrawn',
    targetId: customerId,
    detail: { changeId },
    now,
  });
}

/** Reads what the page of a confirmation link shows. Reading does not use the link up. */
export async function readEmailChange(db: Database, token: string, now: Date) {
  const change = await findEmailChangeByToken(db, hashSecret(token), now);
  if (!change) return undefined;
  const { merchantId, projectId: id, email, isOpen } = change;
  const [{ name, brandColor, logoFile }, project, signInPath] = await Promise.all([
    readProjectBrand(db, { merchantId, id }),
    findProject(db, { merchantId, id }),
    findSignInPath(db, change),
  ]);
  return { email, isOpen, merchantName: name ?? project!.name, brandColor, logoFile, signInPath };
}

export type EmailChangePlace = NonNullable<Awaited<ReturnType<typeof readEmailChange>>>;
