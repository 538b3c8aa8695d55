import type { Role } from '../../platform/access/role.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { deleteInvitation, deleteOpenLinks } from './link-queries.ts';
import { type Moment, normalEmail } from './member.ts';
import { LINK_LIFE_HOURS, linkUrl, type MemberLink, memberLinks, mintToken } from './member-link.ts';
import { findMember, findMemberByEmail } from './queries.ts';
import { hashSecret } from './session.ts';

export interface CreateMemberLink {
  merchantId: string;
  actor: string;
  publicUrl: string;
  moment: Moment;
}

/** A link with its URL, which is shown once and stored nowhere. */
export interface CreatedMemberLink {
  link: MemberLink;
  url: string;
}

/**
 * For the operator: the person who opens it becomes an owner, or regains access as one. It replaces an unused one.
 */
export function createSetupLink(tx: Tx, input: CreateMemberLink): Promise<CreatedMemberLink> {
  return makeLink(tx, input, { kind: 'setup', email: null, role: 'owner', memberId: null });
}

/** Invites a person by e-mail address. They may also sign in at another merchant with it. */
export async function inviteMember(
  tx: Tx,
  input: CreateMemberLink,
  invited: { email: string; role: Role },
): Promise<CreatedMemberLink> {
  const email = normalEmail(invited.email);
  if (await findMemberByEmail(tx, input.merchantId, email)) throw new AppError('MEMBER_EXISTS');
  return makeLink(tx, input, { kind: 'invitation', email, role: invited.role, memberId: null });
}

/** For a member who lost their way in; nothing changes for them until the link is used. */
export async function createResetLink(
  tx: Tx,
  input: CreateMemberLink,
  memberId: string,
): Promise<CreatedMemberLink> {
  if (!(await findMember(tx, input.merchantId, memberId))) throw new AppError('NOT_FOUND');
  return makeLink(tx, input, { kind: 'reset', email: null, role: null, memberId });
}

/** Invalidates the link. */
export async function withdrawInvitation(
  tx: Tx,
  { merchantId, actor, moment }: Omit<CreateMemberLink, 'publicUrl'>,
  id: string,
): Promise<void> {
  const withdrawn = await deleteInvitation(tx, merchantId, id);
  if (!withdrawn) throw new AppError('NOT_FOUND');
  const detail = { email: withdrawn.email };
  const entry = { merchantId, actor, targetId: id, detail, now: moment.serviceNow };
  await recordAudit(tx, { ...entry, action: 'member.invitation_withdrawn' });
}

const ACTIONS = {
  setup: 'member.setup_link_created',
  invitation: 'member.invited',
  reset: 'member.reset_link_created',
} as const;

async function makeLink(
  tx: Tx,
  { merchantId, actor, publicUrl, moment: { now, serviceNow } }: CreateMemberLink,
  target: Pick<MemberLink, 'kind' | 'email' | 'role' | 'memberId'>,
): Promise<CreatedMemberLink> {
  const token = mintToken();
  const link: MemberLink = {
    ...target,
    merchantId,
    id: newId(now),
    tokenHash: hashSecret(token),
    createdBy: actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_LIFE_HOURS[target.kind] * HOUR_MS),
    usedAt: null,
  };
  await deleteOpenLinks(tx, link);
  await memberLinks.insert(tx, link);
  const { email, role } = target;
  await recordAudit(tx, {
    merchantId,
    actor,
    action: ACTIONS[target.kind],
    targetId: target.memberId ?? link.id,
    detail: { ...(email !== null && { email }), ...(role !== null && { role }) },
    now: serviceNow,
  });
  return { link, url: linkUrl(publicUrl, target.kind, token) };
}
