import { clientPackageRoutes } from '../../site/client-package/routes.ts';
import { manualRoutes } from '../../site/docs/routes.ts';
import { customerRoutes } from '../accounts/customers/routes.ts';
import { imageFileRoutes } from '../accounts/images/routes.ts';
import { createSessionAuthenticator } from '../accounts/members/create-session-authenticator.ts';
import { dashboardRoutes } from '../accounts/members/routes.ts';
import { merchantLogoRoutes } from '../accounts/merchants/logo-routes.ts';
import { payoutRoutes } from '../accounts/merchants/payout-routes.ts';
import { merchantRoutes } from '../accounts/merchants/routes.ts';
import { noteRoutes } from '../accounts/notes/routes.ts';
import { onboardingRoutes } from '../accounts/onboarding/routes.ts';
import { payoutChangeRoutes } from '../accounts/payout-changes/routes.ts';
import { projectLogoRoutes } from '../accounts/projects/logo-routes.ts';
import { createRequestCounter } from '../accounts/projects/request-counter.ts';
import { projectRoutes } from '../accounts/projects/routes.ts';
import { savedViewRoutes } from '../accounts/saved-views/routes.ts';
import { terminalRoutes } from '../accounts/terminals/routes.ts';
import { creditTokenRoutes } from '../agents/credit-tokens/routes.ts';
import { mcpRoutes } from '../agents/mcp/routes.ts';
import { paywallPages } from '../agents/mpp/paywall-pages.ts';
import { facilitatorRoutes } from '../agents/x402/facilitator-routes.ts';
import { paywallRoutes } from '../agents/x402/routes.ts';
import { priceRoutes } from '../billing/catalog/price-routes.ts';
import { productRoutes } from '../billing/catalog/product-routes.ts';
import { sessionRoutes } from '../billing/checkout-sessions/routes.ts';
import { mergeRoutes } from '../billing/customer-merges/routes.ts';
import { promotionCodeRoutes } from '../billing/discounts/promotion-code-routes.ts';
import { discountRoutes } from '../billing/discounts/routes.ts';
import { invoiceRoutes } from '../billing/invoices/routes.ts';
import { ledgerRoutes } from '../billing/ledger/routes.ts';
import { manualInvoiceRoutes } from '../billing/manual-invoices/routes.ts';
import { publicLinkRoutes } from '../billing/payment-links/public-routes.ts';
import { linkRoutes } from '../billing/payment-links/routes.ts';
import { renewalRoutes } from '../billing/renewals/routes.ts';
import { taxRateRoutes } from '../billing/tax-rates/routes.ts';
import { usageRoutes } from '../billing/usage/routes.ts';
import type { Config } from '../config/config.ts';
import { contractVersion, version } from '../config/version.ts';
import { tillPages } from '../counter/pages/routes.ts';
import { tillSaleRoutes } from '../counter/sales/routes.ts';
import { tillRoutes } from '../counter/tills/routes.ts';
import { intentRoutes } from '../intents/routes.ts';
import { erasureRoutes } from '../operations/erasure/routes.ts';
import { forwardCallers } from '../operations/moving/forward-callers.ts';
import { movingRoutes } from '../operations/moving/routes.ts';
import { linkPages } from '../pages/checkout/link-page.ts';
import { checkoutPages } from '../pages/checkout/routes.ts';
import { dashboardPages } from '../pages/dashboard/routes.ts';
import { assetRoutes } from '../pages/parts/assets.ts';
import { brandRoutes } from '../pages/parts/brand.ts';
import { hostedPages } from '../pages/parts/page-route.ts';
import { portalRoutes } from '../pages/portal/routes.ts';
import { portalSessionRoutes } from '../pages/portal/session-routes.ts';
import { portalPages } from '../pages/portal-pages/portal-pages.ts';
import { refundPages } from '../pages/refund/routes.ts';
import { payingRoutes } from '../payments/public-payments/routes.ts';
import { creditNoteRoutes } from '../payments/refunds/credit-note-routes.ts';
import { publicRefundRoutes } from '../payments/refunds/public-routes.ts';
import { refundRoutes } from '../payments/refunds/routes.ts';
import { reservedAmountRoutes } from '../payments/reserved-amounts/routes.ts';
import { sponsorRoutes } from '../payments/sponsor/routes.ts';
import { acceptIntentRoutes, acceptInvoiceRoutes } from '../payments/transfers/accept-routes.ts';
import { settlementRoutes } from '../payments/transfers/routes.ts';
import { createAuthenticator } from '../platform/access/authenticate.ts';
import { addressRefusal } from '../platform/access/refuse-address.ts';
import { accessRoutes } from '../platform/access/routes.ts';
import { eventRoutes } from '../platform/events/routes.ts';
import { observeRequests, processGauges } from '../platform/http/observe.ts';
import { openApiDocument, openApiText } from '../platform/http/openapi.ts';
import { operatorRoutes } from '../platform/http/operator-routes.ts';
import { refuseChangesWhile } from '../platform/http/refuse-changes.ts';
import type { App } from '../platform/http/route.ts';
import { createServer, refuseOtherMethods } from '../platform/http/server.ts';
import { version1 } from '../platform/http/version-1.ts';
import { lazy } from '../platform/lib/lazy.ts';
import { rateLimits } from '../platform/limits/rate-limits.ts';
import { liveVersions } from '../platform/live/live-versions.ts';
import { endStreamsOnClose } from '../platform/live/stream.ts';
import { recordRequests } from '../platform/request-log/record-requests.ts';
import { requestLogRoutes } from '../platform/request-log/routes.ts';
import { monthlyReportRoutes } from '../reports/accounting/monthly-report-routes.ts';
import { accountingRoutes } from '../reports/accounting/routes.ts';
import { revenueRoutes } from '../reports/overview/revenue-routes.ts';
import { overviewRoutes } from '../reports/overview/routes.ts';
import { taxReportRoutes } from '../reports/overview/tax-report-routes.ts';
import { searchRoutes } from '../reports/search/routes.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { endpointBodies, endpointRoutes } from '../webhooks/endpoint-routes.ts';
import { firstEndpointRoutes } from '../webhooks/first-endpoint-routes.ts';
import { notificationRoutes } from '../webhooks/notification-routes.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { type AppParts, type SharedParts, sharedParts } from './shared-parts.ts';
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
  operatorRoutes(app, { metrics: parts.scraped ?? metrics, metricsToken: config.METRICS_TOKEN, readiness });

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
  reservedAmountRoutes(app, shared);
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
