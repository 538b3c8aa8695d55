import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { createSession } from './create-session.ts';
import { deleteDevices } from './device-queries.ts';
import { hashPasswordFor } from './hash-password-for.ts';
import { findLinkByToken, updateLinkUsed } from './link-queries.ts';
import {
  actorOf,
  type Entry,
  type Member,
  type Moment,
  members,
  normalEmail,
  type Visitor,
} from './member.ts';
import type { MemberLink } from './member-link.ts';
import { deletePasskeys } from './passkey-queries.ts';
import { checkPassword } from './password.ts';
import { findMember, findMemberByEmail, insertMember, lockMember } from './queries.ts';
import { hashSecret } from './session.ts';
import { deleteSessions } from './session-queries.ts';

export interface UseLink {
  token: string;
  email?: string | undefined;
  name?: string | undefined;
  password: string;
}

/** The link while it can be used: 410 if it has expired, 404 if it is unknown or was replaced. */
export async function openLink(db: Queryable, token: string, now: Date): Promise<MemberLink> {
  const link = await findLinkByToken(db, hashSecret(token));
  if (!link) throw new AppError('NOT_FOUND', { message: 'This link does not work; ask for a new one.' });
  if (link.usedAt || link.expiresAt <= now) throw new AppError('MEMBER_LINK_EXPIRED');
  return link;
}

/** Address of the person a link is for, if it says so. */
export async function readLinkEmail(db: Queryable, link: MemberLink): Promise<string | null> {
  if (link.memberId === null) return link.email;
  return (await findMember(db, link.merchantId, link.memberId))?.email ?? null;
}

/**
 * Uses a link once: creates the member, or restores a member's access, and signs them in. Of several concurrent uses,
 * one succeeds.
 */
export async function useLink(
  db: Database,
  input: UseLink,
  visitor: Visitor,
  moment: Moment,
): Promise<Entry> {
  const opened = await openLink(db, input.token, moment.now);
  const email = emailFor(input, await readLinkEmail(db, opened));
  await checkPassword('password', input.password, email);
  const passwordHash = await hashPasswordFor(db, { merchantId: opened.merchantId, email }, input.password);
  return db.transaction(async (tx) => {
    const link = await updateLinkUsed(tx, hashSecret(input.token), moment.now);
    if (!link) throw new AppError('MEMBER_LINK_EXPIRED');
    const known = await memberOf(tx, link, email);
    const person = { email, name: input.name, passwordHash };
    const member = known
      ? await letBackIn(tx, link, known, person, moment)
      : await join(tx, link, person, moment);
    return createSession(tx, member, 'link', visitor, moment);
  });
}

function emailFor({ email }: UseLink, wanted: string | null): string {
  const given = email === undefined ? undefined : normalEmail(email);
  if (wanted === null && given === undefined) throw badField('email', 'is required');
  if (wanted !== null && given !== undefined && given !== wanted)
    throw badField('email', 'must be the address the link is for, or be left out');
  return wanted ?? given!;
}

/** The member the link is for; undefined for a new one. */
async function memberOf(tx: Tx, link: MemberLink, email: string): Promise<Member | undefined> {
  if (link.memberId !== null) {
    const member = await lockMember(tx, link.merchantId, link.memberId);
    if (!member || member.disabledAt) throw new AppError('MEMBER_LINK_EXPIRED');
    return member;
  }
  const known = await findMemberByEmail(tx, link.merchantId, email);
  if (!known) return undefined;
  // Only the operator's link restores access for an existing member.
  if (link.kind !== 'setup') throw new AppError('MEMBER_EXISTS');
  return lockMember(tx, known.merchantId, known.id);
}

interface Person {
  email: string;
  name: string | undefined;
  passwordHash: string;
}

async function join(
  tx: Tx,
  { merchantId, kind, role }: MemberLink,
  { email, name, passwordHash }: Person,
  { now, serviceNow }: Moment,
): Promise<Member> {
  if (name === undefined) throw badField('name', 'is required');
  const times = { createdAt: now, updatedAt: now, lastSignedInAt: null, disabledAt: null, removedAt: null };
  const member: Member = { merchantId, id: newId(now), email, name, role: role!, passwordHash, ...times };
  if (!(await insertMember(tx, member))) throw new AppError('MEMBER_EXISTS');
  const detail = { email, role: member.role, by: kind };
  const entry = { merchantId, actor: actorOf(member.id), targetId: member.id, detail, now: serviceNow };
  await recordAudit(tx, { ...entry, action: 'member.joined' });
  return member;
}

/** Removes every earlier way to sign in: a lost passkey may be in the wrong hands. */
async function letBackIn(
  tx: Tx,
  { kind, role }: MemberLink,
  before: Member,
  { name, passwordHash }: Person,
  { now, serviceNow }: Moment,
): Promise<Member> {
  const { merchantId, id } = before;
  const access = { role: role ?? before.role, disabledAt: null, passwordHash };
  const member: Member = { ...before, ...access, name: name ?? before.name, updatedAt: now };
  await members.store(tx, member, ['name', 'role', 'disabledAt', 'passwordHash', 'updatedAt']);
  await deletePasskeys(tx, merchantId, id, 'all');
  await deleteSessions(tx, merchantId, id);
  await deleteDevices(tx, merchantId, id);
  const detail = { by: kind, role: member.role };
  const entry = { merchantId, actor: actorOf(id), targetId: id, detail, now: serviceNow };
  await recordAudit(tx, { ...entry, action: 'member.access_restored' });
  return member;
}
