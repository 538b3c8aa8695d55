import { priceRoutes } from './accounts/catalog/price-routes.ts';
import { productRoutes } from './accounts/catalog/product-routes.ts';
import { customerRoutes } from './accounts/customers/routes.ts';
import { createSessionAuthenticator } from './accounts/members/create-session-authenticator.ts';
import { dashboardRoutes } from './accounts/members/routes.ts';
import { payoutRoutes } from './accounts/merchants/payout-routes.ts';
import { merchantRoutes } from './accounts/merchants/routes.ts';
import { payoutChangeRoutes } from './accounts/payout-changes/routes.ts';
import { createRequestCounter } from './accounts/projects/request-counter.ts';
import { projectRoutes } from './accounts/projects/routes.ts';
import { terminalRoutes } from './accounts/terminals/routes.ts';
import { sessionWebhooks } from './billing/checkout-sessions/describe-events.ts';
import { sessionRoutes } from './billing/checkout-sessions/routes.ts';
import { sessionCreator } from './billing/checkout-sessions/session-creator.ts';
import { publicLinkCache } from './billing/payment-links/public-link-cache.ts';
import { publicLinkRoutes } from './billing/payment-links/public-routes.ts';
import { linkRoutes } from './billing/payment-links/routes.ts';
import { renewalRoutes } from './billing/renewals/routes.ts';
import { subscriptionWebhooks } from './billing/subscriptions/describe-events.ts';
import { usageRecorder } from './billing/usage/record-usage.ts';
import { usageRoutes } from './billing/usage/routes.ts';
import type { Rpc } from './chain/solana/rpc.ts';
import { watchKeeper } from './chain/solana/watched-account.ts';
import { type Config, mintOf } from './config.ts';
import { linkPages } from './faces/checkout-pages/link-page.ts';
import { checkoutPages } from './faces/checkout-pages/routes.ts';
import { clientPackageRoutes } from './faces/client-package/routes.ts';
import { dashboardPages } from './faces/dashboard/routes.ts';
import { manualRoutes } from './faces/docs-site/routes.ts';
import { overviewRoutes } from './faces/overview/routes.ts';
import { assetRoutes } from './faces/pages/assets.ts';
import { brandRoutes } from './faces/pages/brand.ts';
import { hostedPages } from './faces/pages/page-route.ts';
import { portalRoutes } from './faces/portal/routes.ts';
import { portalSessionRoutes } from './faces/portal/session-routes.ts';
import { portalPages } from './faces/portal-pages/portal-pages.ts';
import { searchRoutes } from './faces/search/routes.ts';
import { intentWebhooks } from './money/intents/describe-events.ts';
import { intentRoutes } from './money/intents/routes.ts';
import { invoiceWebhooks } from './money/invoices/describe-events.ts';
import { invoiceRoutes } from './money/invoices/routes.ts';
import { balanceWebhooks } from './money/ledger/describe-events.ts';
import { ledgerRoutes } from './money/ledger/routes.ts';
import { webhookRoutes } from './money/webhooks/routes.ts';
import { createAuthenticator } from './platform/access/authenticate.ts';
import { addressRefusal } from './platform/access/refuse-address.ts';
import { accessRoutes } from './platform/access/routes.ts';
import type { Database } from './platform/db/database.ts';
import type { Mailer } from './platform/email/mailer.ts';
import { eventRoutes } from './platform/events/routes.ts';
import type { Mount } from './platform/http/mount.ts';
import { observeRequests, processGauges } from './platform/http/observe.ts';
import { openApiDocument, openApiText } from './platform/http/openapi.ts';
import { operatorRoutes } from './platform/http/operator-routes.ts';
import type { App } from './platform/http/route.ts';
import { createServer, refuseOtherMethods } from './platform/http/server.ts';
import { type Clock, systemClock } from './platform/lib/clock.ts';
import { lazy } from './platform/lib/lazy.ts';
import type { Logger } from './platform/lib/log.ts';
import type { Metrics } from './platform/lib/metrics.ts';
import type { SecretBox } from './platform/lib/secret-box.ts';
import { rateLimits } from './platform/limits/rate-limits.ts';
import { liveVersions } from './platform/live/live-versions.ts';
import { endStreamsOnClose } from './platform/live/stream.ts';
import { payingRoutes } from './settlement/public-payments/routes.ts';
import { clockMover } from './settlement/sandbox/move-clock.ts';
import { sandboxRoutes } from './settlement/sandbox/routes.ts';
import type { TestWallet } from './settlement/sandbox/test-wallet.ts';
import { settlementRoutes } from './settlement/transfers/routes.ts';
import { contractVersion, version } from './version.ts';

export interface AppParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  secrets: SecretBox;
  readiness(): Promise<string | undefined>;
  rpc: Rpc;
  /** Absent where no mail server is set. */
  mailer?: Mailer | undefined;
  /** Real time for sign-ins, which the sandbox's clock must not move. Tests give one that they move. */
  wallClock?: Clock;
  /** Absent elsewhere than in the sandbox. */
  sandbox: { wallet: TestWallet | undefined; runDue(): Promise<void> } | undefined;
  /** Where the world reaches us; known once we listen. */
  publicUrl(): string;
}

const SLOW_MS = 1_000;

/** Billing has two versions with one implementation: the same rows, the same shapes. */
const BILLING_MOUNTS: readonly Mount[] = [
  { path: '/api/v2', idSuffix: '' },
  { path: '/api', idSuffix: 'V1' },
];

/** Every webhook there is: described in openapi.json and docs/events.md, and sent as a sample by the sandbox. */
export const webhooks = [
  ...intentWebhooks,
  ...invoiceWebhooks,
  ...sessionWebhooks,
  ...subscriptionWebhooks,
  ...balanceWebhooks,
];

/** The HTTP service: every route, in one list. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, db, clock, log, metrics, secrets, readiness, rpc, sandbox, publicUrl } = parts;
  const mint = mintOf(config);
  const ensureWatched = watchKeeper(db, clock, mint);
  const shown = publicLinkCache(db);
  const recorder = usageRecorder(db, clock);
  const allowLoopback = config.FLORIN_NETWORK === 'sandbox';
  const createByKey = sessionCreator({ db, clock, ensureWatched, allowLoopback, publicUrl });
  const app = createServer({
    log,
    trustProxy: config.TRUST_PROXY,
    isSecure: config.PUBLIC_URL?.startsWith('https:') ?? false,
  });
  app.decorate('authenticator', createAuthenticator(db, clock, config.environment));
  app.decorate('refuseAddress', addressRefusal(db, clock));
  const { FLORIN_NETWORK: network, environment } = config;
  const { mailer, wallClock = systemClock() } = parts;
  const memberParts = { db, clock, wallClock, log, environment, network, mailer, publicUrl };
  app.decorate('sessionAuthenticator', createSessionAuthenticator(memberParts));
  app.decorateRequest('principal', undefined);
  app.decorate('projectRequests', createRequestCounter(db, clock));

  processGauges(metrics);
  observeRequests(app, metrics, { sampleEvery: config.LOG_SAMPLE_EVERY, slowMs: SLOW_MS });
  rateLimits(app, {
    keyPerSecond: config.RATE_LIMIT_KEY_PER_SECOND,
    keyBurst: config.RATE_LIMIT_KEY_BURST,
    usagePerSecond: config.RATE_LIMIT_USAGE_PER_SECOND,
    failedAuthPerMinute: config.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
    publicPerSecond: config.RATE_LIMIT_PUBLIC_PER_SECOND,
    checkoutPerMinute: config.RATE_LIMIT_CHECKOUT_PER_MINUTE,
  });

  const webhookRules = {
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
  };
  merchantRoutes(app, { db, clock, secrets, webhookRules });
  payoutRoutes(app, { db, clock, rpc, publicUrl });
  payoutChangeRoutes(app, { db, clock });
  accessRoutes(app, { db, clock, environment });
  dashboardRoutes(app, memberParts);
  terminalRoutes(app, { db, clock });
  intentRoutes(app, { db, clock, intentLifeMinutes: config.INTENT_LIFE_MINUTES, ensureWatched });
  settlementRoutes(app, { db, clock });
  payingRoutes(app, { db, clock, rpc, mint, publicUrl });
  const trial = sandbox && {
    wallet: sandbox.wallet,
    mover: clockMover({ db, clock, log, runDue: () => sandbox.runDue() }),
  };
  if (trial) sandboxRoutes(app, { db, clock, webhooks, ...trial });
  for (const mount of BILLING_MOUNTS) {
    projectRoutes(app, mount, { db, clock, rpc, environment });
    customerRoutes(app, mount, { db, clock });
    productRoutes(app, mount, { db, clock });
    priceRoutes(app, mount, { db, clock });
    webhookRoutes(app, mount, { db, clock });
    ledgerRoutes(app, mount, { db, clock });
    invoiceRoutes(app, mount, { db, clock, network });
    sessionRoutes(app, mount, { db, clock, createByKey });
    renewalRoutes(app, mount, { db, clock, secrets, ensureWatched, allowLoopback, publicUrl });
    linkRoutes(app, mount, { db, clock, shown, allowLoopback, publicUrl });
    publicLinkRoutes(app, mount, { db, clock, ensureWatched, environment, publicUrl });
    usageRoutes(app, mount, { db, clock, recorder });
    overviewRoutes(app, mount, { db, clock });
    portalSessionRoutes(app, mount, { db, clock, allowLoopback, publicUrl });
    eventRoutes(app, mount, { db });
  }
  searchRoutes(app, { db });
  portalRoutes(app, { db, clock, secrets, ensureWatched, network, publicUrl });
  const live = liveVersions(db, log, config.LIVE_STREAMS_PER_ADDRESS);
  endStreamsOnClose(app, live);
  assetRoutes(app);
  brandRoutes(app);
  hostedPages(app, publicUrl, (scope) => {
    linkPages(scope, { db, clock, ensureWatched, environment, publicUrl, shown, network });
    checkoutPages(scope, { db, clock, live, network, mint, publicUrl, trial });
    portalPages(scope, { db, clock, secrets, ensureWatched, network, publicUrl });
  });
  dashboardPages(app);
  clientPackageRoutes(app, { log, publicUrl });
  operatorRoutes(app, { metrics, metricsToken: config.METRICS_TOKEN, readiness });

  const document = lazy(() => openApiDocument(app.routeDescriptions, webhooks, { contractVersion, version }));
  const isSandbox = sandbox !== undefined;
  manualRoutes(app, { document, text: () => openApiText(document()), isSandbox, publicUrl });
  refuseOtherMethods(app);
  await app.ready();
  return app;
}
