import { createAuthenticator } from './access/authenticate.ts';
import { addressRefusal } from './access/refuse-address.ts';
import { accessRoutes } from './access/routes.ts';
import { priceRoutes } from './catalog/price-routes.ts';
import { productRoutes } from './catalog/product-routes.ts';
import { linkPages } from './checkout-pages/link-page.ts';
import { checkoutPages } from './checkout-pages/routes.ts';
import { sessionWebhooks } from './checkout-sessions/describe-events.ts';
import { sessionRoutes } from './checkout-sessions/routes.ts';
import { sessionCreator } from './checkout-sessions/session-creator.ts';
import { clientPackageRoutes } from './client-package/routes.ts';
import { type Config, mintOf } from './config.ts';
import { customerRoutes } from './customers/routes.ts';
import { dashboardPages } from './dashboard/routes.ts';
import type { Database } from './db/database.ts';
import { eventRoutes } from './events/routes.ts';
import type { Mount } from './http/mount.ts';
import { observeRequests, processGauges } from './http/observe.ts';
import { openApiDocument, openApiText } from './http/openapi.ts';
import { operatorRoutes } from './http/operator-routes.ts';
import type { App } from './http/route.ts';
import { createServer, refuseOtherMethods } from './http/server.ts';
import { intentWebhooks } from './intents/describe-events.ts';
import { intentRoutes } from './intents/routes.ts';
import { invoiceWebhooks } from './invoices/describe-events.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { balanceWebhooks } from './ledger/describe-events.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import type { Logger } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { once } from './lib/once.ts';
import type { SecretBox } from './lib/secret-box.ts';
import { rateLimits } from './limits/rate-limits.ts';
import { liveVersions } from './live/live-versions.ts';
import { endStreamsOnClose } from './live/stream.ts';
import type { Mailer } from './mail/mailer.ts';
import { manualRoutes } from './manual/routes.ts';
import { createMemberDoor } from './members/create-member-door.ts';
import { dashboardRoutes } from './members/routes.ts';
import { payoutRoutes } from './merchants/payout-routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { assetRoutes } from './pages/assets.ts';
import { brandRoutes } from './pages/brand.ts';
import { hostedPages } from './pages/page-route.ts';
import { payingRoutes } from './paying/routes.ts';
import { publicLinkRoutes } from './payment-links/public-routes.ts';
import { linkRoutes } from './payment-links/routes.ts';
import { shownLinks } from './payment-links/shown-links.ts';
import { payoutChangeRoutes } from './payout-changes/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { portalSessionRoutes } from './portal/session-routes.ts';
import { portalPages } from './portal-pages/portal-pages.ts';
import { createRequestCounter } from './projects/request-counter.ts';
import { projectRoutes } from './projects/routes.ts';
import { renewalRoutes } from './renewals/routes.ts';
import { clockMover } from './sandbox/move-clock.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import type { TestWallet } from './sandbox/test-wallet.ts';
import { searchRoutes } from './search/routes.ts';
import { settlementRoutes } from './settlement/routes.ts';
import type { Rpc } from './solana/rpc.ts';
import { watchKeeper } from './solana/watched-account.ts';
import { subscriptionWebhooks } from './subscriptions/describe-events.ts';
import { terminalRoutes } from './terminals/routes.ts';
import { usageRecorder } from './usage/record-usage.ts';
import { usageRoutes } from './usage/routes.ts';
import { contractVersion, version } from './version.ts';
import { webhookRoutes } from './webhooks/routes.ts';

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
  const shown = shownLinks(db);
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
  app.decorate('memberDoor', createMemberDoor(memberParts));
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

  const document = once(() => openApiDocument(app.routeDescriptions, webhooks, { contractVersion, version }));
  const isSandbox = sandbox !== undefined;
  manualRoutes(app, { document, text: () => openApiText(document()), isSandbox, publicUrl });
  refuseOtherMethods(app);
  await app.ready();
  return app;
}
