import type { App } from '../../platform/http/route.ts';
import { Flag, Shape } from '../../platform/http/schema.ts';
import { findPasskeyRequired } from '../merchants/policy-queries.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type MemberParts, momentOf } from './member-parts.ts';
import { setPasskeysRequired } from './passkey-policy.ts';

const SecurityView = Shape('SecuritySettings', {
  requirePasskeys: Flag('Owners who have a passkey cannot sign in or confirm with their password.'),
});
const SecurityBody = Shape('UpdateSecurityRequest', { requirePasskeys: Flag() });

/** How strictly the merchant's members prove who they are. */
export function securityRoutes(app: App, parts: MemberParts): void {
  const { db } = parts;

  dashboardRoute(app, {
    method: 'GET',
    path: '/security',
    id: 'getSecuritySettings',
    sdk: 'dashboard.retrieveSecurity',
    summary: 'Get the security settings',
    success: { status: 200, schema: SecurityView, description: 'The settings.' },
    errors: [],
    handle: async ({ principal }) => ({
      requirePasskeys: await findPasskeyRequired(db, principal.merchantId),
    }),
  });

  dashboardRoute(app, {
    method: 'PATCH',
    path: '/security',
    id: 'updateSecuritySettings',
    sdk: 'dashboard.updateSecurity',
    summary: 'Change the security settings',
    description: 'To require passkeys of owners, you need one yourself.',
    ownerOnly: true,
    stepUp: true,
    body: SecurityBody,
    success: { status: 200, schema: SecurityView, description: 'The settings as they are now.' },
    errors: ['INVALID_STATE'],
    async handle({ principal: { merchantId, actor }, member, body: { requirePasskeys } }) {
      const now = momentOf(parts).serviceNow;
      const change = { merchantId, actor, memberId: member.id, requirePasskeys, now };
      await db.transaction((tx) => setPasskeysRequired(tx, change));
      return { requirePasskeys };
    },
  });
}
