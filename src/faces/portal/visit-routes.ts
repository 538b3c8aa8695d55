import { patchCustomer } from '../../accounts/customers/patch-customer.ts';
import { type App, route } from '../../platform/http/route.ts';
import { Email, Nullable, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import { clearCookie, readCookie, setCookie } from './cookie.ts';
import { enterPortal, leavePortal } from './enter-portal.ts';
import { type PortalAccess, portalRoute } from './portal-route.ts';
import { actorOf } from './portal-session.ts';
import { PortalCustomerView, PortalVisitView, presentPortalCustomer } from './present.ts';
import { readVisit } from './read-visit.ts';

const LoginBody = Shape('PortalLoginRequest', {
  token: Text({ description: 'The last part of the link’s path.' }),
});

const PersonBody = Shape('UpdatePortalCustomerRequest', {
  email: Optional(Nullable(Email())),
  name: Optional(Nullable(Text())),
});

export function visitRoutes(app: App, door: PortalAccess): void {
  const { db, clock, publicUrl } = door;

  route(app, {
    method: 'POST',
    path: '/api/portal/login',
    id: 'enterPortal',
    tag: 'Customer portal',
    summary: 'Enter the portal',
    description:
      'Exchanges the token of a link for a cookie, once. The visit lasts one hour, whatever happens in it. The cookie is HttpOnly; send `csrfToken` with every change.',
    body: LoginBody,
    success: { status: 200, schema: PortalVisitView, description: 'The customer; the cookie is set.' },
    errors: ['PORTAL_SESSION_REQUIRED', 'PORTAL_LINK_EXPIRED', 'FORBIDDEN'],
    async handle({ body, request, reply }) {
      requireOwnOrigin(request.headers, publicUrl());
      const { visitor, cookie } = await enterPortal(db, body.token, clock.now());
      reply.header('set-cookie', setCookie(publicUrl(), cookie));
      return readVisit(db, visitor, cookie);
    },
  });

  portalRoute(app, door, {
    method: 'POST',
    path: '/logout',
    id: 'leavePortal',
    summary: 'Leave the portal',
    success: { status: 204, description: 'The cookie is no longer valid.' },
    errors: [],
    async handle({ visitor, reply }) {
      await leavePortal(db, visitor, clock.now());
      reply.header('set-cookie', clearCookie(publicUrl()));
    },
  });

  portalRoute(app, door, {
    method: 'GET',
    path: '/me',
    id: 'getPortalVisit',
    summary: 'Get the signed-in customer',
    success: { status: 200, schema: PortalVisitView, description: 'The customer, with both balances.' },
    errors: [],
    async handle({ visitor, request }) {
      return readVisit(db, visitor, readCookie(request.headers, publicUrl())!);
    },
  });

  portalRoute(app, door, {
    method: 'PATCH',
    path: '/me',
    id: 'updatePortalCustomer',
    summary: 'Correct e-mail and name',
    description: 'Changes only the fields you send; null clears.',
    body: PersonBody,
    success: { status: 200, schema: PortalCustomerView, description: 'The customer as they are now.' },
    errors: ['BAD_REQUEST'],
    async handle({ visitor, body }) {
      const { merchantId, customerId: id } = visitor;
      const input = {
        merchantId,
        id,
        actor: actorOf(visitor),
        isOwnChange: true,
        change: body,
        now: clock.now(),
      };
      return presentPortalCustomer(await db.transaction((tx) => patchCustomer(tx, input)));
    },
  });
}
