import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { actorOf, type Moment } from './member.ts';
import type { Passkey } from './passkey-queries.ts';
import { deletePasskeys, listPasskeys, updatePasskeyName } from './passkey-queries.ts';
import { isPasskeyDue } from './policy-queries.ts';
import { lockMember } from './queries.ts';

export interface PasskeyChange {
  merchantId: string;
  memberId: string;
  passkeyId: string;
  moment: Moment;
}

export async function renamePasskey(tx: Tx, change: PasskeyChange, name: string): Promise<Passkey> {
  const { merchantId, memberId, passkeyId: id } = change;
  const passkey = await updatePasskeyName(tx, { merchantId, memberId, id, name });
  if (!passkey) throw new AppError('NOT_FOUND');
  await audit(tx, change, 'passkey.renamed', { name });
  return passkey;
}

/**
 * The last way to sign in cannot be removed: a member without a password, or who must not use it, keeps one passkey.
 */
export async function removePasskey(tx: Tx, change: PasskeyChange): Promise<void> {
  const { merchantId, memberId, passkeyId } = change;
  const member = await lockMember(tx, merchantId, memberId);
  const passkeys = await listPasskeys(tx, merchantId, memberId);
  const passkey = passkeys.find(({ id }) => id === passkeyId);
  if (!member || !passkey) throw new AppError('NOT_FOUND');
  if (member.passwordHash === null && passkeys.length === 1)
    throw new AppError('INVALID_STATE', {
      message: 'This is your only way to sign in; set a password first.',
    });
  if (passkeys.length === 1 && (await isPasskeyDue(tx, merchantId, memberId)))
    throw new AppError('INVALID_STATE', { message: 'Owners must have a passkey; add another one first.' });
  await deletePasskeys(tx, merchantId, memberId, passkeyId);
  await audit(tx, change, 'passkey.removed', { name: passkey.name });
}

async function audit(tx: Tx, change: PasskeyChange, action: string, detail: object): Promise<void> {
  const { merchantId, memberId, passkeyId, moment } = change;
  const entry = { merchantId, actor: actorOf(memberId), targetId: passkeyId, detail, now: moment.serviceNow };
  await recordAudit(tx, { ...entry, action });
}
