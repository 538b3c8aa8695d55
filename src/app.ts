import { priceRoutes } from './accounts/catalog/price-routes.ts';
import { productRoutes } from './accounts/catalog/product-routes.ts';
import { creditTokenRoutes } from './accounts/credit-tokens/routes.ts';
import { customerRoutes } from './accounts/customers/routes.ts';
import { imageFileRoutes } from './accounts/images/routes.ts';
import { createSessionAuthenticator } from './accounts/members/create-session-authenticator.ts';
import { dashboardRoutes } from './accounts/members/routes.ts';
import { merchantLogoRoutes } from './accounts/merchants/logo-routes.ts';
import { payoutRoutes } from './accounts/merchants/payout-routes.ts';
import { merchantRoutes } from './accounts/merchants/routes.ts';
import { payoutChangeRoutes } from './accounts/payout-changes/routes.ts';
import { projectLogoRoutes } from './accounts/projects/logo-routes.ts';
import { createRequestCounter } from './accounts/projects/request-counter.ts';
import { projectRoutes } from './accounts/projects/routes.ts';
import { savedViewRoutes } from './accounts/saved-views/routes.ts';
import { taxRateRoutes } from './accounts/tax-rates/routes.ts';
import { terminalRoutes } from './accounts/terminals/routes.ts';
import { tillRoutes } from './accounts/tills/routes.ts';
import { sessionRoutes } from './billing/checkout-sessions/routes.ts';
import { mergeRoutes } from './billing/customer-merges/routes.ts';
import { promotionCodeRoutes } from './billing/discounts/promotion-code-routes.ts';
import { discountRoutes } from './billing/discounts/routes.ts';
import { manualInvoiceRoutes } from './billing/manual-invoices/routes.ts';
import { publicLinkRoutes } from './billing/payment-links/public-routes.ts';
import { linkRoutes } from './billing/payment-links/routes.ts';
import { renewalRoutes } from './billing/renewals/routes.ts';
import { usageRoutes } from './billing/usage/routes.ts';
import type { Config } from './config.ts';
import { monthlyReportRoutes } from './faces/accounting/monthly-report-routes.ts';
import { accountingRoutes } from './faces/accounting/routes.ts';
import { linkPages } from './faces/checkout-pages/link-page.ts';
import { checkoutPages } from './faces/checkout-pages/routes.ts';
import { clientPackageRoutes } from './faces/client-package/routes.ts';
import { dashboardPages } from './faces/dashboard/routes.ts';
import { manualRoutes } from './faces/docs-site/routes.ts';
import { mcpRoutes } from './faces/mcp/routes.ts';
import { onboardingRoutes } from './faces/onboarding/routes.ts';
import { revenueRoutes } from './faces/overview/revenue-routes.ts';
import { overviewRoutes } from './faces/overview/routes.ts';
import { taxReportRoutes } from './faces/overview/tax-report-routes.ts';
import { assetRoutes } from './faces/pages/assets.ts';
import { brandRoutes } from './faces/pages/brand.ts';
import { hostedPages } from './faces/pages/page-route.ts';
import { portalRoutes } from './faces/portal/routes.ts';
import { portalSessionRoutes } from './faces/portal/session-routes.ts';
import { portalPages } from './faces/portal-pages/portal-pages.ts';
import { refundPages } from './faces/refund-pages/routes.ts';
import { searchRoutes } from './faces/search/routes.ts';
import { tillSaleRoutes } from './faces/till/routes.ts';
import { tillPages } from './faces/till-pages/routes.ts';
import { intentRoutes } from './money/intents/routes.ts';
import { invoiceRoutes } from './money/invoices/routes.ts';
import { ledgerRoutes } from './money/ledger/routes.ts';
import { noteRoutes } from './money/notes/routes.ts';
import { endpointBodies, endpointRoutes } from './money/webhooks/endpoint-routes.ts';
import { firstEndpointRoutes } from './money/webhooks/first-endpoint-routes.ts';
import { notificationRoutes } from './money/webhooks/notification-routes.ts';
import { webhookRoutes } from './money/webhooks/routes.ts';
import { createAuthenticator } from './platform/access/authenticate.ts';
import { addressRefusal } from './platform/access/refuse-address.ts';
import { accessRoutes } from './platform/access/routes.ts';
import { eventRoutes } from './platform/events/routes.ts';
import { observeRequests, processGauges } from './platform/http/observe.ts';
import { openApiDocument, openApiText } from './platform/http/openapi.ts';
import { operatorRoutes } from './platform/http/operator-routes.ts';
import { refuseChangesWhile } from './platform/http/refuse-changes.ts';
import type { App } from './platform/http/route.ts';
import { createServer, refuseOtherMethods } from './platform/http/server.ts';
import { version1 } from './platform/http/version-1.ts';
import { lazy } from './platform/lib/lazy.ts';
import { rateLimits } from './platform/limits/rate-limits.ts';
import { liveVersions } from './platform/live/live-versions.ts';
import { endStreamsOnClose } from './platform/live/stream.ts';
import { recordRequests } from './platform/request-log/record-requests.ts';
import { requestLogRoutes } from './platform/request-log/routes.ts';
import { erasureRoutes } from './settlement/erasure/routes.ts';
import { forwardCallers } from './settlement/moving/forward-callers.ts';
import { movingRoutes } from './settlement/moving/routes.ts';
import { paywallPages } from './settlement/mpp/paywall-pages.ts';
import { payingRoutes } from './settlement/public-payments/routes.ts';
import { creditNoteRoutes } from './settlement/refunds/credit-note-routes.ts';
import { publicRefundRoutes } from './settlement/refunds/public-routes.ts';
import { refundRoutes } from './settlement/refunds/routes.ts';
import { sandboxRoutes } from './settlement/sandbox/routes.ts';
import { sponsorRoutes } from './settlement/sponsor/routes.ts';
import { acceptIntentRoutes, acceptInvoiceRoutes } from './settlement/transfers/accept-routes.ts';
import { settlementRoutes } from './settlement/transfers/routes.ts';
import { facilitatorRoutes } from './settlement/x402/facilitator-routes.ts';
import { paywallRoutes } from './settlement/x402/routes.ts';
import { type AppParts, type SharedParts, sharedParts } from './shared-parts.ts';
import { contractVersion, version } from './version.ts';
import { webhooks } from './webhook-list.ts';

const SLOW_MS = 1_000;

const ENDPOINT_BODIES = endpointBodies(webhooks.map(({ event }) => event));

/** The HTTP service: every route, in one list. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, log, metrics, readiness, sandbox, publicUrl } = parts;
  const app = createServer({
    log,
    trustProxy: config.TRUST_PROXY,
    isSecure: config.PUBLIC_URL?.startsWith('https:') ?? false,
  });
  parts.traces?.requests(app);
  const shared = sharedParts(parts);
  recognizeCallers(app, shared);
  processGauges(metrics);
  observeRequests(app, metrics, { sampleEvery: config.LOG_SAMPLE_EVERY, slowMs: SLOW_MS });
  recordRequests(app, { db: parts.db, log, metrics, keepDays: config.REQUEST_LOG_DAYS });
  limitRates(app, config);
  refuseChangesWhile(app, () => parts.watched?.problem() !== undefined);
  forwardCallers(app, parts.db);
  movingRoutes(app, shared);

  merchantApi(app, shared);
  billingApi(app, shared);
  billingApi(version1(app), shared);
  requestLogRoutes(app, shared);
  searchRoutes(app, shared);
  onboardingRoutes(app, shared);
  portalRoutes(app, shared);
  pagesForPeople(app, shared, parts.dashboardBuilt);
  clientPackageRoutes(app, { log, publicUrl });
  operatorRoutes(app, { metrics, metricsToken: config.METRICS_TOKEN, readiness });

  const document = lazy(() => openApiDocument(app.routeDescriptions, webhooks, { contractVersion, version }));
  const isSandbox = sandbox !== undefined;
  mcpRoutes(app, { ...shared, isSandbox, version, document });
  manualRoutes(app, { document, text: () => openApiText(document()), isSandbox, publicUrl });
  refuseOtherMethods(app);
  await app.ready();
  return app;
}

/** The caller is authenticated by a key or a session, and counts against a project. */
function recognizeCallers(app: App, shared: SharedParts): void {
  const { db, clock, environment } = shared;
  app.decorate('authenticator', createAuthenticator(db, clock, environment));
  app.decorate('refuseAddress', addressRefusal(db, clock));
  app.decorate('sessionAuthenticator', createSessionAuthenticator(shared));
  app.decorateRequest('principal', undefined);
  app.decorate('projectRequests', createRequestCounter(db, clock));
}

function limitRates(app: App, config: Config): void {
  rateLimits(app, {
    keyPerSecond: config.RATE_LIMIT_KEY_PER_SECOND,
    keyBurst: config.RATE_LIMIT_KEY_BURST,
    usagePerSecond: config.RATE_LIMIT_USAGE_PER_SECOND,
    failedAuthPerMinute: config.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
    publicPerSecond: config.RATE_LIMIT_PUBLIC_PER_SECOND,
    checkoutPerMinute: config.RATE_LIMIT_CHECKOUT_PER_MINUTE,
  });
}

/** A merchant's account, terminals and intents, and the sandbox's own operations. */
function merchantApi(app: App, shared: SharedParts): void {
  const { config, trial } = shared;
  merchantRoutes(app, { ...shared, webhookRules: webhookRulesOf(config) });
  firstEndpointRoutes(app, shared);
  merchantLogoRoutes(app, shared);
  payoutRoutes(app, shared);
  payoutChangeRoutes(app, shared);
  accessRoutes(app, shared);
  dashboardRoutes(app, shared);
  savedViewRoutes(app, shared);
  terminalRoutes(app, shared);
  tillRoutes(app, shared);
  intentRoutes(app, { ...shared, intentLifeMinutes: config.INTENT_LIFE_MINUTES });
  settlementRoutes(app, shared);
  noteRoutes(app, shared);
  acceptIntentRoutes(app, shared);
  payingRoutes(app, shared);
  sponsorRoutes(app, shared);
  publicRefundRoutes(app, shared);
  facilitatorRoutes(app, shared.x402);
  paywallPages(app, shared.programs);
  if (trial) sandboxRoutes(app, { ...shared, webhooks, ...trial });
}

function webhookRulesOf(config: Config) {
  return { allowHttp: config.WEBHOOK_ALLOW_HTTP, allowPrivate: config.WEBHOOK_ALLOW_PRIVATE };
}

function billingApi(app: App, shared: SharedParts): void {
  projectRoutes(app, shared);
  projectLogoRoutes(app, shared);
  customerRoutes(app, shared);
  mergeRoutes(app, shared);
  erasureRoutes(app, shared);
  creditTokenRoutes(app, shared);
  productRoutes(app, shared);
  priceRoutes(app, shared);
  webhookRoutes(app, shared);
  const webhookRules = webhookRulesOf(shared.config);
  endpointRoutes(app, { ...shared, webhookRules, bodies: ENDPOINT_BODIES });
  notificationRoutes(app, { ...shared, webhookRules });
  ledgerRoutes(app, shared);
  invoiceRoutes(app, shared);
  manualInvoiceRoutes(app, shared);
  acceptInvoiceRoutes(app, shared);
  taxRateRoutes(app, shared);
  discountRoutes(app, shared);
  promotionCodeRoutes(app, shared);
  sessionRoutes(app, shared);
  renewalRoutes(app, shared);
  linkRoutes(app, shared);
  publicLinkRoutes(app, shared);
  usageRoutes(app, shared);
  refundRoutes(app, shared);
  creditNoteRoutes(app, shared);
  paywallRoutes(app, { ...shared.x402, allowLoopback: shared.allowLoopback });
  overviewRoutes(app, shared);
  revenueRoutes(app, shared);
  taxReportRoutes(app, shared);
  accountingRoutes(app, shared);
  monthlyReportRoutes(app, shared);
  portalSessionRoutes(app, shared);
  eventRoutes(app, shared);
}

/** The hosted pages and the dashboard. */
function pagesForPeople(app: App, shared: SharedParts, dashboardBuilt: Promise<unknown> | undefined): void {
  const { config, db, log, publicUrl } = shared;
  const live = liveVersions(db, log, config.LIVE_STREAMS_PER_ADDRESS);
  endStreamsOnClose(app, live);
  assetRoutes(app);
  brandRoutes(app);
  imageFileRoutes(app, shared);
  hostedPages(app, publicUrl, (scope) => {
    linkPages(scope, shared);
    checkoutPages(scope, { ...shared, live });
    refundPages(scope, { ...shared, live });
    portalPages(scope, shared);
    tillPages(scope, shared);
  });
  tillSaleRoutes(app, { ...shared, live, intentLifeMinutes: config.INTENT_LIFE_MINUTES });
  dashboardPages(app, dashboardBuilt);
}
