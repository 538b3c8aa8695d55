import { type App, route } from '../../platform/http/route.ts';
import { Email, Name, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import { readMerchantName } from '../merchants/read-merchant-name.ts';
import { createAssertionOptions } from './check-assertion.ts';
import { AssertionBody, readAssertion } from './credential.ts';
import { deviceCookie } from './known-device.ts';
import type { Entry, Visitor } from './member.ts';
import { type MemberParts, momentOf, visitorOf } from './member-parts.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './password.ts';
import { readSession } from './read-session.ts';
import { dashboardCookie } from './session.ts';
import { signIn } from './sign-in.ts';
import { signInByPasskey } from './sign-in-by-passkey.ts';
import { openLink, readLinkEmail, useLink } from './use-link.ts';
import { OpenLinkView, RequestOptionsView, SessionView } from './views.ts';

const SignInBody = Shape('SignInRequest', {
  email: Text({ max: 254, description: 'The e-mail address you sign in with.' }),
  password: Text({ max: MAX_PASSWORD }),
  merchantId: Optional(
    Uuid('For a member with the same password at several merchants. Default: the one signed in to last.'),
  ),
});

const PasskeyBody = Shape('PasskeySignInRequest', { credential: AssertionBody });

const Token = () => Text({ description: 'The last part of the link’s path.' });
const OpenLinkBody = Shape('OpenMemberLinkRequest', { token: Token() });
const UseLinkBody = Shape('UseMemberLinkRequest', {
  token: Token(),
  email: Optional(Email('For a setup link, which is not for a known member.')),
  name: Optional(Name({ description: 'Required for a new member.' })),
  password: Text({ min: MIN_PASSWORD, max: MAX_PASSWORD }),
});

const SIGNED_IN = {
  status: 200,
  schema: SessionView,
  description: 'The signed-in member; the cookie is set.',
};

/** The ways in: no cookie yet, so what guards them is the Origin, and that each proof is counted. */
export function signInRoutes(app: App, parts: MemberParts): void {
  const { db, publicUrl } = parts;
  const tag = 'Dashboard sign-in';

  /** Signs in the member that `prove` returns cookies for. */
  async function enter(
    { request, reply }: Pick<Parameters<Parameters<typeof route>[1]['handle']>[0], 'request' | 'reply'>,
    prove: (visitor: Visitor) => Promise<Entry>,
  ) {
    requireOwnOrigin(request.headers, publicUrl());
    const { cookie, device } = await prove(visitorOf(request, publicUrl()));
    reply.header('set-cookie', dashboardCookie.set(publicUrl(), cookie));
    reply.header('set-cookie', deviceCookie.set(publicUrl(), device));
    return readSession(parts, cookie);
  }

  route(app, {
    method: 'POST',
    path: '/api/dashboard/sign-in',
    id: 'signIn',
    sdk: 'dashboard.signIn',
    tag,
    summary: 'Sign in with e-mail address and password',
    description:
      'Sets the dashboard’s cookie, and one that makes the browser a known device. A session lasts 14 days, and ends after 12 hours without a call. After several failed attempts each further one must wait, twice as long each time, up to 15 minutes: 429 with Retry-After. Failures elsewhere do not slow down a known device.',
    body: SignInBody,
    success: SIGNED_IN,
    errors: ['SIGN_IN_FAILED', 'PASSKEY_REQUIRED', 'FORBIDDEN'],
    handle: (call) => enter(call, (visitor) => signIn(db, call.body, visitor, momentOf(parts))),
  });

  route(app, {
    method: 'POST',
    path: '/api/dashboard/sign-in/passkey-options',
    id: 'startPasskeySignIn',
    sdk: 'dashboard.startPasskeySignIn',
    tag,
    summary: 'Start signing in with a passkey',
    description: 'Options for the browser. Valid for one response, within 5 minutes.',
    success: { status: 200, schema: RequestOptionsView, description: 'The options.' },
    errors: ['INVALID_STATE', 'FORBIDDEN'],
    async handle({ request }) {
      requireOwnOrigin(request.headers, publicUrl());
      const asked = { purpose: 'sign_in', merchantId: null, sessionId: null } as const;
      return createAssertionOptions(db, publicUrl(), asked, momentOf(parts).now);
    },
  });

  route(app, {
    method: 'POST',
    path: '/api/dashboard/sign-in/passkey',
    id: 'signInWithPasskey',
    sdk: 'dashboard.signInWithPasskey',
    tag,
    summary: 'Sign in with a passkey',
    description: 'The passkey identifies the member.',
    body: PasskeyBody,
    success: SIGNED_IN,
    errors: ['SIGN_IN_FAILED', 'INVALID_STATE', 'FORBIDDEN'],
    handle(call) {
      const assertion = readAssertion(call.body.credential);
      return enter(call, (visitor) => signInByPasskey(db, publicUrl(), assertion, visitor, momentOf(parts)));
    },
  });

  route(app, {
    method: 'POST',
    path: '/api/dashboard/links/open',
    id: 'openMemberLink',
    sdk: 'dashboard.openLink',
    repeatable: true,
    tag,
    summary: 'Read a setup, invitation or reset link',
    description: 'Does not use up the link.',
    body: OpenLinkBody,
    success: { status: 200, schema: OpenLinkView, description: 'Who it is for, and until when.' },
    errors: ['NOT_FOUND', 'MEMBER_LINK_EXPIRED', 'FORBIDDEN'],
    async handle({ body, request }) {
      requireOwnOrigin(request.headers, publicUrl());
      const link = await openLink(db, body.token, momentOf(parts).now);
      const { kind, role, expiresAt, merchantId } = link;
      const merchantName = await readMerchantName(db, merchantId);
      return { kind, merchantName, email: await readLinkEmail(db, link), role, expiresAt };
    },
  });

  route(app, {
    method: 'POST',
    path: '/api/dashboard/links/use',
    id: 'useMemberLink',
    sdk: 'dashboard.useLink',
    tag,
    summary: 'Use a setup, invitation or reset link',
    description:
      'Works once: creates the member with this password, or restores a member’s access, and signs them in. Restoring access removes the member’s passkeys and every other session.',
    body: UseLinkBody,
    success: SIGNED_IN,
    errors: ['NOT_FOUND', 'MEMBER_LINK_EXPIRED', 'MEMBER_EXISTS', 'FORBIDDEN'],
    handle: (call) => enter(call, (visitor) => useLink(db, call.body, visitor, momentOf(parts))),
  });
}
