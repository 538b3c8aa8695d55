import { openMpp } from '../agents/mpp/parts.ts';
import { openX402 } from '../agents/x402/open-x402.ts';
import { sessionCreator } from '../billing/checkout-sessions/session-creator.ts';
import { publicLinkCache } from '../billing/payment-links/public-link-cache.ts';
import { usageRecorder } from '../billing/usage/record-usage.ts';
import type { Witnesses } from '../chain/nodes/witnesses.ts';
import { blockhashKeeper } from '../chain/solana/latest-blockhash.ts';
import type { Rpc } from '../chain/solana/rpc.ts';
import { watchKeeper } from '../chain/solana/watched-account.ts';
import { type Config, mintOf } from '../config/config.ts';
import type { Mailer } from '../email/mailer.ts';
import { paymentLimits } from '../payments/public-payments/payment-limits.ts';
import { reservationLimit } from '../payments/reserved-amounts/reservation-limit.ts';
import type { Sponsor } from '../payments/sponsor/sponsor.ts';
import { completeFreeSession } from '../payments/transfers/complete-free-session.ts';
import type { Database } from '../platform/db/database.ts';
import type { MetricsText } from '../platform/http/operator-routes.ts';
import { type Clock, systemClock } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import { REQUEST_PATIENCE_MS } from '../platform/lib/request-wait.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { clockMover } from '../sandbox/move-clock.ts';
import type { TestWallet } from '../sandbox/test-wallet.ts';
import type { Traces } from './open-traces.ts';
import type { Watched } from './watch-database.ts';

export interface AppParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Metrics that a scrape gets; absent: those of this process. */
  scraped?: MetricsText | undefined;
  secrets: SecretBox;
  readiness(): Promise<string | undefined>;
  /** Absent: nothing is known of the database's past and its clock. */
  watched?: Pick<Watched, 'problem'>;
  rpc: Rpc;
  witnesses: Witnesses;
  /** Absent where no fee payer is set. */
  sponsor: Sponsor | undefined;
  /** Time that a program that pays waits for the network before its answer is 503; default: half a minute. */
  settleWaitMs?: number;
  /** Absent: as long as a slot lasts. */
  keepBlockhashMs?: number;
  /** Absent where no mail server is set. */
  mailer?: Mailer | undefined;
  /** Real time for sign-ins, which the sandbox's clock must not move. Tests give one that they move. */
  wallClock?: Clock;
  /** Absent elsewhere than in the sandbox. */
  sandbox: { wallet: TestWallet | undefined; runDue(): Promise<void> } | undefined;
  /** Absent where no collector is set. */
  traces?: Traces | undefined;
  /** Absent: it is built, or nobody builds it. */
  dashboardBuilt?: Promise<unknown> | undefined;
  /** URL at which the world reaches us; known once we listen. */
  publicUrl(): string;
}

export type SharedParts = ReturnType<typeof sharedParts>;

/** Creates the dependencies that the routes of several folders share; called once. */
export function sharedParts(parts: AppParts) {
  const { config, clock, log, secrets, rpc, witnesses, sponsor, mailer, sandbox, publicUrl } = parts;
  const db = parts.db.withPatience(REQUEST_PATIENCE_MS);
  const { FLORIN_NETWORK: network, environment } = config;
  const mint = mintOf(config);
  const ensureWatched = watchKeeper(db, clock, mint);
  const allowLoopback = network === 'sandbox';
  const isLimited = config.RATE_LIMIT_PUBLIC_PER_SECOND > 0;
  const limits = paymentLimits(isLimited);
  const latestBlockhash = blockhashKeeper(rpc, parts.keepBlockhashMs);
  const x402 = openX402({
    ...{ db, clock, log, secrets, rpc, sponsor, publicUrl, network, environment, mint, ensureWatched },
    witnesses,
    limits,
    latestBlockhash,
    settleWaitMs: parts.settleWaitMs,
  });
  return {
    x402,
    programs: openMpp(x402, secrets),
    ...{ config, db, clock, log, secrets, rpc, sponsor, mailer, publicUrl, network, environment, mint },
    ...{
      latestBlockhash,
      ensureWatched,
      allowLoopback,
      isLimited,
      limits,
      countReservation: reservationLimit(isLimited),
      completeFree: completeFreeSession,
    },
    wallClock: parts.wallClock ?? systemClock(),
    linkCache: publicLinkCache(db),
    recorder: usageRecorder(db, clock),
    createByKey: sessionCreator({
      ...{ db, clock, ensureWatched, allowLoopback, publicUrl },
      completeFree: completeFreeSession,
    }),
    trial: sandbox && {
      wallet: sandbox.wallet,
      mover: clockMover({ db, clock, log, runDue: () => sandbox.runDue() }),
    },
  };
}
