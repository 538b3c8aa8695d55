import type { App } from '../../platform/http/route.ts';
import { auditRoutes } from './audit-routes.ts';
import type { MemberParts } from './member-parts.ts';
import { memberRoutes } from './member-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { securityRoutes } from './security-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

export function dashboardRoutes(app: App, parts: MemberParts): void {
  signInRoutes(app, parts);
  sessionRoutes(app, parts);
  passkeyRoutes(app, parts);
  memberRoutes(app, parts);
  securityRoutes(app, parts);
  auditRoutes(app, parts);
}
