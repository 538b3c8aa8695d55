import { recordAudit } from '../../platform/audit/record.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { lockPasskeyRequired } from '../merchants/policy-queries.ts';
import { requirePasskeys as requireOfOwners } from '../merchants/require-passkeys.ts';
import type { Member } from './member.ts';
import { listPasskeys } from './passkey-queries.ts';
import { isPasskeyDue } from './policy-queries.ts';

/**
 * 403 for an owner with a passkey, if the merchant requires it. Called after the password was found correct: a wrong
 * one gets the same answer everywhere.
 */
export async function refusePasswordOfOwner(
  db: Queryable,
  { merchantId, id }: Pick<Member, 'merchantId' | 'id'>,
): Promise<void> {
  if (await isPasskeyDue(db, merchantId, id)) throw new AppError('PASSKEY_REQUIRED');
}

export interface PolicyChange {
  merchantId: string;
  actor: string;
  /** Absent for the operator, who needs no passkey. */
  memberId?: string;
  requirePasskeys: boolean;
  now: Date;
}

/** Only a member with a passkey can require passkeys, so that nobody locks themselves out. */
export async function setPasskeysRequired(tx: Tx, change: PolicyChange): Promise<void> {
  const { merchantId, actor, memberId, requirePasskeys, now } = change;
  const before = await lockPasskeyRequired(tx, merchantId);
  if (before === requirePasskeys) return;
  if (requirePasskeys && memberId && (await listPasskeys(tx, merchantId, memberId)).length === 0)
    throw new AppError('INVALID_STATE', { message: 'Add a passkey to your own account first.' });
  await requireOfOwners(tx, merchantId, requirePasskeys);
  const detail = { from: before, to: requirePasskeys };
  await recordAudit(tx, { merchantId, actor, action: 'merchant.require_passkeys_changed', detail, now });
}
