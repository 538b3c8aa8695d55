import type { App } from '../../platform/http/route.ts';
import { type AccountRoutes, accountRoutes } from './account-routes.ts';
import { portalRefundRoutes } from './refund-routes.ts';
import { portalSubscriptionRoutes, type SubscriptionRoutes } from './subscription-routes.ts';
import { type VisitRoutes, visitRoutes } from './visit-routes.ts';

/** Everything one customer may see and change, known by their cookie. */
export function portalRoutes(app: App, parts: AccountRoutes & SubscriptionRoutes & VisitRoutes): void {
  app.decorateRequest('visitor', undefined);
  visitRoutes(app, parts);
  portalSubscriptionRoutes(app, parts);
  accountRoutes(app, parts);
  portalRefundRoutes(app, parts);
}
