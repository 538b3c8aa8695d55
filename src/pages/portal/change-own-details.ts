import { hash } from 'node:crypto';
import { beginEmailChange } from '../../accounts/customers/change-email-change.ts';
import type { Customer } from '../../accounts/customers/customer.ts';
import { CONFIRMATION_LIFE_HOURS, type EmailChange, limitOf } from '../../accounts/customers/email-change.ts';
import { countEmailChanges, lockNetwork } from '../../accounts/customers/email-change-queries.ts';
import { patchCustomer } from '../../accounts/customers/patch-customer.ts';
import { lockCustomer } from '../../accounts/customers/queries.ts';
import { queueAddressEmails } from '../../email/queue-email.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { AppError, badField, limitReached } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { actorOf, hashSecret, mintSecret, type Visitor } from './portal-session.ts';

export interface ChangeOwnDetails {
  visitor: Visitor;
  change: { email?: string | null | undefined; name?: string | null | undefined };
  /** Language of the page; the customer's own comes first. */
  language: string;
  ip: string;
  secrets: SecretBox;
  publicUrl: string;
  now: Date;
}

/**
 * Corrects what a customer says of themselves. A name counts at once. An address that somebody typed proves nothing: it waits
 * until its mailbox confirms it, and the one it replaces gets a notice.
 */
export async function changeOwnDetails(tx: Tx, input: ChangeOwnDetails): Promise<Customer> {
  const { visitor, change, now } = input;
  const { merchantId, customerId } = visitor;
  const before = await lockCustomer(tx, merchantId, customerId);
  if (!before) throw new AppError('NOT_FOUND');
  const { email, name } = change;
  if (email === null && before.email !== null)
    throw badField('email', 'cannot be removed here; ask the shop to remove it');
  if (email && email !== before.email) await requestEmailChange(tx, input, before, email);
  if (name === undefined) return before;
  const actor = actorOf(visitor);
  return patchCustomer(tx, {
    merchantId,
    id: customerId,
    actor,
    emailSource: 'typed',
    change: { name },
    now,
  });
}

async function requestEmailChange(tx: Tx, input: ChangeOwnDetails, before: Customer, email: string) {
  const { visitor, language, secrets, publicUrl, now } = input;
  const { merchantId, projectId, customerId, isByEmail } = visitor;
  if (!tx.queuesEmails)
    throw new AppError('INVALID_STATE', {
      message: 'This service sends no e-mail, so an address cannot be confirmed; ask the shop to change it.',
    });
  const expiresAt = new Date(now.getTime() + CONFIRMATION_LIFE_HOURS * 3_600_000);
  const owner = { merchantId, projectId, customerId };
  const change: EmailChange = { ...owner, id: newId(now), email, isByEmail, createdAt: now, expiresAt };
  const askedFrom = hash('sha256', `${projectId} ${networkOf(input.ip)}`, 'hex');
  await requireFew(tx, change, askedFrom);
  const token = mintSecret();
  await beginEmailChange(tx, change, { tokenHash: hashSecret(token), askedFrom });
  const actor = actorOf(visitor);
  const action = 'customer.email_change_requested';
  await recordAudit(tx, {
    merchantId,
    actor,
    action,
    targetId: customerId,
    detail: { changeId: change.id },
    now,
  });
  const sealedLink = secrets.seal(`${publicUrl}/portal/email/${token}`);
  const facts = { language, newEmail: email, changeId: change.id };
  await queueAddressEmails(tx, [
    { ...owner, kind: 'email_confirmation', facts: { ...facts, mailbox: email }, sealedLink },
    ...(before.email === null
      ? []
      : [
          {
            ...owner,
            kind: 'email_change' as const,
            facts: { ...facts, mailbox: before.email },
            sealedLink: null,
          },
        ]),
  ]);
}

async function requireFew(tx: Tx, change: EmailChange, askedFrom: string): Promise<void> {
  await lockNetwork(tx, change.merchantId, askedFrom);
  const since = new Date(change.createdAt.getTime() - DAY_MS);
  const limit = limitOf(await countEmailChanges(tx, change, { askedFrom, since }));
  if (limit !== undefined)
    throw limitReached(limit, DAY_MS / 1_000, 'Too many new e-mail addresses today; try again tomorrow.');
}
