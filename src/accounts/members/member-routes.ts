import type { Principal } from '../../platform/access/principal.ts';
import { ROLES } from '../../platform/access/role.ts';
import type { App } from '../../platform/http/route.ts';
import { Email, Flag, List, OneOf, Optional, Shape } from '../../platform/http/schema.ts';
import { changeMember, removeMember } from './change-member.ts';
import { createResetLink, inviteMember, withdrawInvitation } from './create-link.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { listOpenInvitations } from './link-queries.ts';
import { mailInvitation } from './mail-invitation.ts';
import { type MemberParts, momentOf } from './member-parts.ts';
import { listMembers } from './queries.ts';
import {
  InvitationView,
  MadeInvitationView,
  MemberView,
  presentInvitation,
  presentMember,
  ResetLinkView,
} from './views.ts';

const InviteBody = Shape('InviteMemberRequest', { email: Email(), role: OneOf(ROLES) });
const ChangeBody = Shape('UpdateMemberRequest', {
  role: Optional(OneOf(ROLES)),
  isActive: Optional(Flag('False: signed out everywhere, and cannot sign in until it is true again.')),
});

/**
 * The members of the merchant. Everyone can read them; owners change them, each change after a fresh confirmation.
 */
export function memberRoutes(app: App, parts: MemberParts): void {
  const { db, publicUrl } = parts;
  const tag = 'Members';
  const owners = { tag, ownerOnly: true, stepUp: true };
  const making = ({ merchantId, actor }: Principal) => {
    return { merchantId, actor, publicUrl: publicUrl(), moment: momentOf(parts) };
  };

  dashboardRoute(app, {
    method: 'GET',
    path: '/members',
    id: 'listMembers',
    sdk: 'members.list',
    tag,
    summary: 'List members',
    success: { status: 200, schema: List(MemberView), description: 'All members, the oldest first.' },
    errors: [],
    handle: async ({ principal }) => (await listMembers(db, principal.merchantId)).map(presentMember),
  });

  dashboardRoute(app, {
    ...owners,
    method: 'PATCH',
    path: '/members/{memberId}',
    id: 'updateMember',
    sdk: 'members.update',
    summary: 'Change a member’s role, or disable them',
    description: 'Changes only the fields you send. Applies from the member’s next call.',
    body: ChangeBody,
    success: { status: 200, schema: MemberView, description: 'The member as they are now.' },
    errors: ['NOT_FOUND', 'LAST_OWNER'],
    async handle({ principal: { merchantId, actor }, params, body }) {
      const change = { merchantId, actor, memberId: params.memberId!.toLowerCase(), moment: momentOf(parts) };
      return presentMember(await db.transaction((tx) => changeMember(tx, change, body)));
    },
  });

  dashboardRoute(app, {
    ...owners,
    method: 'DELETE',
    path: '/members/{memberId}',
    id: 'removeMember',
    sdk: 'members.remove',
    summary: 'Remove a member',
    description: 'Permanently. Keys they created stay valid; revoke those they know.',
    success: { status: 204, description: 'They can no longer sign in.' },
    errors: ['NOT_FOUND', 'LAST_OWNER'],
    async handle({ principal: { merchantId, actor }, params }) {
      const change = { merchantId, actor, memberId: params.memberId!.toLowerCase(), moment: momentOf(parts) };
      await db.transaction((tx) => removeMember(tx, change));
    },
  });

  dashboardRoute(app, {
    ...owners,
    method: 'POST',
    path: '/members/{memberId}/reset-link',
    id: 'createResetLink',
    sdk: 'members.createResetLink',
    summary: 'Create a reset link for a member',
    description:
      'A link for a member who forgot the password and has no passkey. It works once, within 24 hours, and replaces an earlier one. Using it removes their passkeys.',
    success: { status: 201, schema: ResetLinkView, description: 'The link, shown only once.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const id = params.memberId!.toLowerCase();
      const { link, url } = await db.transaction((tx) => createResetLink(tx, making(principal), id));
      return { url, expiresAt: link.expiresAt };
    },
  });

  dashboardRoute(app, {
    ...owners,
    method: 'POST',
    path: '/invitations',
    id: 'inviteMember',
    sdk: 'invitations.create',
    summary: 'Invite someone',
    description:
      'A link to hand over; it works once, within 72 hours, and replaces an earlier one for the same address. If a mail server is set, the link is also sent by e-mail.',
    body: InviteBody,
    success: {
      status: 201,
      schema: MadeInvitationView,
      description: 'The invitation; its link is shown only once.',
    },
    errors: ['MEMBER_EXISTS'],
    async handle({ principal, body }) {
      const made = await db.transaction((tx) => inviteMember(tx, making(principal), body));
      const isMailed = await mailInvitation(parts, made);
      return { ...presentInvitation(made.link), url: made.url, isMailed };
    },
  });

  dashboardRoute(app, {
    method: 'GET',
    path: '/invitations',
    id: 'listInvitations',
    sdk: 'invitations.list',
    tag,
    summary: 'List open invitations',
    success: { status: 200, schema: List(InvitationView), description: 'Newest first.' },
    errors: [],
    async handle({ principal }) {
      const links = await listOpenInvitations(db, principal.merchantId, momentOf(parts).now);
      return links.map(presentInvitation);
    },
  });

  dashboardRoute(app, {
    ...owners,
    method: 'DELETE',
    path: '/invitations/{invitationId}',
    id: 'withdrawInvitation',
    sdk: 'invitations.withdraw',
    summary: 'Withdraw an invitation',
    success: { status: 204, description: 'Its link is no longer valid.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const id = params.invitationId!.toLowerCase();
      await db.transaction((tx) => withdrawInvitation(tx, making(principal), id));
    },
  });
}
