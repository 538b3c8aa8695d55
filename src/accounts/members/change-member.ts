import type { Role } from '../../platform/access/role.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { deleteDevices } from './device-queries.ts';
import { deleteMemberLinks } from './link-queries.ts';
import { type Member, type Moment, members } from './member.ts';
import { deletePasskeys } from './passkey-queries.ts';
import { lockMember, lockMembers } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

export interface MemberChange {
  merchantId: string;
  memberId: string;
  actor: string;
  moment: Moment;
}

/** Takes effect on the member's next call. A disabled member is signed out everywhere. */
export async function changeMember(
  tx: Tx,
  change: MemberChange,
  { role, isActive }: { role?: Role | undefined; isActive?: boolean | undefined },
): Promise<Member> {
  const { merchantId, memberId, moment } = change;
  const { member: before, others } = await lockAmongOthers(tx, change);
  const disabledAt =
    isActive === undefined ? before.disabledAt : isActive ? null : (before.disabledAt ?? moment.now);
  const after: Member = { ...before, role: role ?? before.role, disabledAt, updatedAt: moment.now };
  requireAnOwner([...others, after]);
  const isSame = after.role === before.role && (after.disabledAt === null) === (before.disabledAt === null);
  if (isSame) return before;
  await members.store(tx, after, ['role', 'disabledAt', 'updatedAt']);
  if (after.disabledAt) await deleteSessions(tx, merchantId, memberId);
  const shown = (member: Member) => ({ role: member.role, isActive: member.disabledAt === null });
  await audit(tx, change, 'member.changed', { before: shown(before), after: shown(after) });
  return after;
}

/**
 * Permanent: every way to sign in is removed, and the e-mail address is free again. What they did stays in the audit
 * log.
 */
export async function removeMember(tx: Tx, change: MemberChange): Promise<void> {
  const { merchantId, memberId, moment } = change;
  const { member, others } = await lockAmongOthers(tx, change);
  requireAnOwner(others);
  await deleteSessions(tx, merchantId, memberId);
  await deletePasskeys(tx, merchantId, memberId, 'all');
  await deleteDevices(tx, merchantId, memberId);
  await deleteMemberLinks(tx, merchantId, memberId);
  const { now } = moment;
  await members.update(tx, member, { removedAt: now, updatedAt: now, passwordHash: null });
  await audit(tx, change, 'member.removed', { email: member.email, role: member.role });
}

/** A member's own name. */
export async function renameMember(tx: Tx, change: MemberChange, name: string): Promise<Member> {
  const before = await lockMember(tx, change.merchantId, change.memberId);
  if (!before) throw new AppError('NOT_FOUND');
  if (before.name === name) return before;
  const after = { ...before, name, updatedAt: change.moment.now };
  await members.store(tx, after, ['name', 'updatedAt']);
  await audit(tx, change, 'member.renamed', { from: before.name, to: name });
  return after;
}

async function lockAmongOthers(
  tx: Tx,
  { merchantId, memberId }: MemberChange,
): Promise<{ member: Member; others: Member[] }> {
  const all = await lockMembers(tx, merchantId);
  const member = all.find(({ id }) => id === memberId);
  if (!member) throw new AppError('NOT_FOUND');
  return { member, others: all.filter(({ id }) => id !== memberId) };
}

function requireAnOwner(members: readonly Member[]): void {
  if (!members.some(({ role, disabledAt }) => role === 'owner' && disabledAt === null))
    throw new AppError('LAST_OWNER');
}

async function audit(tx: Tx, change: MemberChange, action: string, detail: object): Promise<void> {
  const { merchantId, actor, memberId, moment } = change;
  await recordAudit(tx, { merchantId, actor, action, targetId: memberId, detail, now: moment.serviceNow });
}
