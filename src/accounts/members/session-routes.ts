import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/route.ts';
import { List, Name, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { renameMember } from './change-member.ts';
import { changePassword } from './change-password.ts';
import { createAssertionOptions } from './check-assertion.ts';
import { idleSince } from './create-session-authenticator.ts';
import { AssertionBody, readAssertion } from './credential.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { endAllSessions, endSession } from './end-sessions.ts';
import { type MemberParts, momentOf } from './member-parts.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './password.ts';
import { readSession } from './read-session.ts';
import { dashboardCookie } from './session.ts';
import { listSessions } from './session-queries.ts';
import { stepUpByPasskey, stepUpByPassword } from './step-up.ts';
import {
  MemberView,
  presentDevice,
  presentMember,
  RequestOptionsView,
  SessionView,
  SignedInDeviceView,
} from './views.ts';

const StepUpBody = Shape('StepUpRequest', {
  password: Optional(Text({ max: MAX_PASSWORD, description: 'This, or a credential.' })),
  credential: Optional(AssertionBody),
});
const NameBody = Shape('UpdateOwnMemberRequest', { name: Name() });
const PasswordBody = Shape('ChangePasswordRequest', {
  newPassword: Text({ min: MIN_PASSWORD, max: MAX_PASSWORD }),
});

/** Routes on which all members manage their own sessions, name and password. */
export function sessionRoutes(app: App, parts: MemberParts): void {
  const { db, publicUrl } = parts;
  const cookieOf = (request: FastifyRequest) => dashboardCookie.read(request.headers, publicUrl())!;

  /** The session continues with another cookie. */
  function continueWith(reply: FastifyReply, cookie: string) {
    reply.header('set-cookie', dashboardCookie.set(publicUrl(), cookie));
    return readSession(parts, cookie);
  }

  dashboardRoute(app, {
    method: 'GET',
    path: '/session',
    id: 'getDashboardSession',
    sdk: 'dashboard.retrieveSession',
    summary: 'Who is signed in',
    success: { status: 200, schema: SessionView, description: 'The member, the merchant, the CSRF token.' },
    errors: [],
    handle: ({ request }) => readSession(parts, cookieOf(request)),
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/sign-out',
    id: 'signOut',
    sdk: 'dashboard.signOut',
    summary: 'Sign out',
    success: { status: 204, description: 'The cookie is no longer valid.' },
    errors: [],
    async handle({ principal, member, reply }) {
      const ended = { merchantId: principal.merchantId, memberId: member.id, moment: momentOf(parts) };
      await db.transaction((tx) => endSession(tx, ended, principal.callerId));
      reply.header('set-cookie', dashboardCookie.clear(publicUrl()));
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/sign-out-everywhere',
    id: 'signOutEverywhere',
    sdk: 'dashboard.signOutEverywhere',
    summary: 'Sign out everywhere',
    success: { status: 204, description: 'Every session of the member has ended, this one included.' },
    errors: [],
    async handle({ principal, member, reply }) {
      const ended = { merchantId: principal.merchantId, memberId: member.id, moment: momentOf(parts) };
      await db.transaction((tx) => endAllSessions(tx, ended));
      reply.header('set-cookie', dashboardCookie.clear(publicUrl()));
    },
  });

  dashboardRoute(app, {
    method: 'GET',
    path: '/sessions',
    id: 'listDashboardSessions',
    sdk: 'dashboard.listSessions',
    summary: 'List your own sessions',
    success: { status: 200, schema: List(SignedInDeviceView), description: 'Where the member is signed in.' },
    errors: [],
    async handle({ principal, member }) {
      const { now } = momentOf(parts);
      const times = { now, idleSince: idleSince(now) };
      const sessions = await listSessions(db, principal.merchantId, member.id, times);
      return sessions.map((session) => presentDevice(session, principal.callerId));
    },
  });

  dashboardRoute(app, {
    method: 'DELETE',
    path: '/sessions/{dashboardSessionId}',
    id: 'endDashboardSession',
    sdk: 'dashboard.endSession',
    summary: 'End one of your own sessions',
    success: { status: 204, description: 'Its cookie is no longer valid.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, member, params }) {
      const ended = { merchantId: principal.merchantId, memberId: member.id, moment: momentOf(parts) };
      await db.transaction((tx) => endSession(tx, ended, params.dashboardSessionId!.toLowerCase()));
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/step-up/passkey-options',
    id: 'startPasskeyStepUp',
    sdk: 'dashboard.startPasskeyStepUp',
    summary: 'Start confirming with a passkey',
    success: { status: 200, schema: RequestOptionsView, description: 'Options for the browser.' },
    errors: ['INVALID_STATE'],
    handle({ principal, member }) {
      const { merchantId, callerId: sessionId } = principal;
      const asked = { purpose: 'step_up', merchantId, sessionId, memberId: member.id } as const;
      return createAssertionOptions(db, publicUrl(), asked, momentOf(parts).now);
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/step-up',
    id: 'stepUp',
    sdk: 'dashboard.stepUp',
    summary: 'Confirm your identity',
    description:
      'By password or passkey. For 10 minutes, operations that returned 403 STEP_UP_REQUIRED are allowed. The session gets a new cookie; its csrfToken stays.',
    body: StepUpBody,
    success: { status: 200, schema: SessionView, description: 'The session, confirmed.' },
    errors: ['SIGN_IN_FAILED', 'PASSKEY_REQUIRED', 'INVALID_STATE'],
    async handle({ principal, member, body, request, reply }) {
      const { password, credential } = body;
      if ((password === undefined) === (credential === undefined))
        throw badField('password', 'or credential is required, not both');
      const input = {
        merchantId: principal.merchantId,
        memberId: member.id,
        sessionId: principal.callerId,
        cookie: cookieOf(request),
        publicUrl: publicUrl(),
      };
      const moment = momentOf(parts);
      const cookie =
        password === undefined
          ? await stepUpByPasskey(db, input, readAssertion(credential), moment)
          : await stepUpByPassword(db, input, password, moment);
      return continueWith(reply, cookie);
    },
  });

  dashboardRoute(app, {
    method: 'PATCH',
    path: '/me',
    id: 'updateOwnMember',
    sdk: 'dashboard.updateMe',
    summary: 'Change your own name',
    body: NameBody,
    success: { status: 200, schema: MemberView, description: 'The member as they are now.' },
    errors: [],
    async handle({ principal: { merchantId, actor }, member, body }) {
      const change = { merchantId, memberId: member.id, actor, moment: momentOf(parts) };
      return presentMember(await db.transaction((tx) => renameMember(tx, change, body.name)));
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/password',
    id: 'changePassword',
    sdk: 'dashboard.changePassword',
    summary: 'Change your own password',
    description: 'Ends every other session of the member. This one gets a new cookie; its csrfToken stays.',
    stepUp: true,
    body: PasswordBody,
    success: { status: 200, schema: SessionView, description: 'The session, which continues.' },
    errors: [],
    async handle({ principal, member, body, request, reply }) {
      const { merchantId, callerId: sessionId } = principal;
      const input = { merchantId, memberId: member.id, sessionId, cookie: cookieOf(request), ...body };
      return continueWith(reply, await changePassword(db, input, momentOf(parts)));
    },
  });
}
