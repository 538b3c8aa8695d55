import type { Customer } from '../../accounts/customers/customer.ts';
import { findEmailChange } from '../../accounts/customers/email-change-queries.ts';
import { findCustomer } from '../../accounts/customers/queries.ts';
import { type App, route } from '../../platform/http/route.ts';
import { Email, Name, Nullable, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { changeOwnDetails } from './change-own-details.ts';
import { confirmEmailChange, withdrawEmailChange } from './confirm-email-change.ts';
import { clearCookie, readCookie, setCookie } from './cookie.ts';
import { enterPortal, leavePortal } from './enter-portal.ts';
import { type PortalAccess, portalRoute } from './portal-route.ts';
import type { Visitor } from './portal-session.ts';
import { PortalCustomerView, PortalVisitView, presentPortalCustomer } from './present.ts';
import { readVisit } from './read-visit.ts';

const LoginBody = Shape('PortalLoginRequest', {
  token: Text({ description: 'The last part of the link’s path.' }),
});

const PersonBody = Shape('UpdatePortalCustomerRequest', {
  email: Optional(Nullable(Email())),
  name: Optional(Nullable(Name())),
});

export interface VisitRoutes extends PortalAccess {
  secrets: SecretBox;
}

export function visitRoutes(app: App, door: VisitRoutes): void {
  const { db, clock, secrets, publicUrl } = door;
  const present = async (visitor: Visitor, customer: Customer, now: Date) =>
    presentPortalCustomer(customer, await findEmailChange(db, visitor, now));

  route(app, {
    method: 'POST',
    path: '/api/portal/login',
    id: 'enterPortal',
    sdk: 'portal.enter',
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
      return readVisit(db, visitor, cookie, clock.now());
    },
  });

  portalRoute(app, door, {
    method: 'POST',
    path: '/logout',
    id: 'leavePortal',
    sdk: 'portal.leave',
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
    sdk: 'portal.retrieveVisit',
    summary: 'Get the signed-in customer',
    success: { status: 200, schema: PortalVisitView, description: 'The customer, with both balances.' },
    errors: [],
    async handle({ visitor, request }) {
      return readVisit(db, visitor, readCookie(request.headers, publicUrl())!, clock.now());
    },
  });

  portalRoute(app, door, {
    method: 'PATCH',
    path: '/me',
    id: 'updatePortalCustomer',
    sdk: 'portal.updateCustomer',
    summary: 'Correct e-mail and name',
    description:
      'Changes only the fields you send; null clears the name. A new e-mail address becomes the customer’s once they open the link that is mailed to it; until then it is the `pendingEmail`, and the old one stays and gets a notice.',
    body: PersonBody,
    success: { status: 200, schema: PortalCustomerView, description: 'The customer as they are now.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ visitor, body, request }) {
      const now = clock.now();
      const { ip } = request;
      const input = { visitor, change: body, language: 'en', ip, secrets, publicUrl: publicUrl(), now };
      return present(visitor, await db.transaction((tx) => changeOwnDetails(tx, input)), now);
    },
  });

  portalRoute(app, door, {
    method: 'DELETE',
    path: '/me/pending-email',
    id: 'withdrawPortalEmail',
    sdk: 'portal.withdrawEmail',
    summary: 'Withdraw a new e-mail address',
    description: 'The link that was mailed to it stops working. Without one, nothing happens.',
    success: { status: 200, schema: PortalCustomerView, description: 'The customer as they are now.' },
    errors: [],
    async handle({ visitor }) {
      const now = clock.now();
      await db.transaction((tx) => withdrawEmailChange(tx, visitor, now));
      const { merchantId, customerId: id } = visitor;
      return present(visitor, (await findCustomer(db, { merchantId, id }))!, now);
    },
  });

  route(app, {
    method: 'POST',
    path: '/api/portal/confirm-email',
    id: 'confirmPortalEmail',
    sdk: 'portal.confirmEmail',
    tag: 'Customer portal',
    summary: 'Confirm a new e-mail address',
    description: 'Takes the token of the link that was mailed to it, once, within a day. It needs no visit.',
    body: LoginBody,
    success: {
      status: 200,
      schema: Shape('PortalConfirmedEmail', { email: Email() }),
      description: 'The address is the customer’s now.',
    },
    errors: ['PORTAL_SESSION_REQUIRED', 'PORTAL_LINK_EXPIRED', 'FORBIDDEN'],
    async handle({ body, request }) {
      requireOwnOrigin(request.headers, publicUrl());
      const { email } = await confirmEmailChange(db, body.token, clock.now());
      return { email };
    },
  });
}
