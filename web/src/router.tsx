import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorScreen, NotFoundScreen } from './app/error-screen.tsx';
import Frame from './app/frame.tsx';
import { readSearch, writeSearch } from './app/search.ts';

type Screen = () => Promise<{ default: () => React.ReactNode }>;

/** Every screen that needs a sign-in: its address, and the file that is fetched when it is first opened. */
const screens: Record<string, Screen> = {
  '/': () => import('./home/home-screen.tsx'),
  '/payments': () => import('./payments/payments-screen.tsx'),
  '/payments/$id': () => import('./payments/payment-screen.tsx'),
  '/refunds': () => import('./refunds/refunds-screen.tsx'),
  '/refunds/$id': () => import('./refunds/refund-screen.tsx'),
  '/exceptions': () => import('./exceptions/exceptions-screen.tsx'),
  '/payment-links': () => import('./payment-links/payment-links-screen.tsx'),
  '/payment-links/$id': () => import('./payment-links/payment-link-screen.tsx'),
  '/api-keys': () => import('./api-keys/api-keys-screen.tsx'),
  '/webhooks': () => import('./webhooks/webhooks-screen.tsx'),
  '/webhooks/endpoints/$id': () => import('./webhooks/endpoint-screen.tsx'),
  '/webhooks/$id': () => import('./webhooks/delivery-screen.tsx'),
  '/request-log': () => import('./request-log/request-log-screen.tsx'),
  '/request-log/$id': () => import('./request-log/request-screen.tsx'),
  '/notifications': () => import('./notifications/notifications-screen.tsx'),
  '/notifications/$id': () => import('./notifications/notification-screen.tsx'),
  '/audit': () => import('./audit/audit-screen.tsx'),
  '/sandbox': () => import('./sandbox/sandbox-screen.tsx'),
  '/settings': () => import('./settings/shop-screen.tsx'),
  '/settings/members': () => import('./settings/members-screen.tsx'),
  '/settings/account': () => import('./settings/account-screen.tsx'),
  '/projects': () => import('./projects/projects-screen.tsx'),
  '/projects/$id': () => import('./projects/project-screen.tsx'),
  '/customers': () => import('./customers/customers-screen.tsx'),
  '/customers/$id': () => import('./customers/customer-screen.tsx'),
  '/discounts': () => import('./discounts/discounts-screen.tsx'),
  '/discounts/$id': () => import('./discounts/discount-screen.tsx'),
  '/catalog': () => import('./catalog/catalog-screen.tsx'),
  '/catalog/$id': () => import('./catalog/product-screen.tsx'),
  '/catalog/prices/$id': () => import('./catalog/price-screen.tsx'),
  '/tax': () => import('./tax/tax-rates-screen.tsx'),
  '/tax/report': () => import('./tax/tax-report-screen.tsx'),
  '/tax/accounting': () => import('./tax/accounting-screen.tsx'),
  '/checkout-sessions': () => import('./checkout/sessions-screen.tsx'),
  '/checkout-sessions/$id': () => import('./checkout/session-screen.tsx'),
  '/invoices': () => import('./invoices/invoices-screen.tsx'),
  '/invoices/$id': () => import('./invoices/invoice-screen.tsx'),
  '/subscriptions': () => import('./subscriptions/subscriptions-screen.tsx'),
  '/subscriptions/$id': () => import('./subscriptions/subscription-screen.tsx'),
  '/usage': () => import('./usage/usage-screen.tsx'),
  '/terminals': () => import('./terminals/terminals-screen.tsx'),
  '/terminals/$id': () => import('./terminals/terminal-screen.tsx'),
};

/** Paths of links in e-mails and from the command line, for people who are not signed in. */
const linkPaths = ['/setup/$token', '/join/$token', '/reset/$token'];

const root = createRootRoute({ errorComponent: ErrorScreen, notFoundComponent: NotFoundScreen });

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
});

const inside = Object.entries(screens).map(([path, load]) =>
  createRoute({ getParentRoute: () => frame, path, component: lazyRouteComponent(load) }),
);

const outside = linkPaths.map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import('./sign-in/link-screen.tsx')),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([frame.addChildren(inside), ...outside]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  scrollRestoration: true,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
});
