import { parseMailbox, parseSmtpUrl, readAuthority } from '../email/mail-settings.ts';
import { urlsOfHosts } from '../platform/db/database-hosts.ts';
import { DEFAULT_CELL } from '../platform/lib/token.ts';
import {
  ageRecipients,
  allOrSomeOf,
  cellName,
  flag,
  headerWord,
  integer,
  lamports,
  nonEmpty,
  oneOf,
  optional,
  processCount,
  type Setting,
  secretKey,
  secretKeyList,
  setting,
  socketUrl,
  solanaAddress,
  trustProxy,
  urlList,
  webUrl,
} from './setting-values.ts';
import { traceSettings } from './trace-settings.ts';

export const NETWORKS = ['sandbox', 'devnet', 'mainnet'] as const;
export type Network = (typeof NETWORKS)[number];

export const ROLES = ['api', 'worker', 'watcher'] as const;
export type Role = (typeof ROLES)[number];

/** Every environment variable the service reads; only config.ts reads them. */
export const settings = {
  PORT: setting('4020', 'Port of the HTTP server; 0 picks any free one.', integer(0, 65_535)),
  HEALTH_PORT: setting(
    '4021',
    'Port of /health and /metrics in a process without the role api; 0 picks any free one.',
    integer(0, 65_535),
  ),
  API_PROCESSES: setting(
    '1',
    'Processes that answer requests, on one port: a number up to 32, or auto for one per core. From 2 on, a process of its own does the rest, and one supervises all.',
    processCount,
  ),
  HOST: setting('127.0.0.1', 'Address the HTTP server listens on.', nonEmpty),
  STOP_GRACE_SECONDS: setting(
    '5 (sandbox: 0)',
    'How long a process keeps serving after SIGTERM, with /health/ready at 503. Longer than your load balancer takes to notice.',
    integer(0, 300),
  ),
  PUBLIC_URL: setting(
    '',
    'The address clients use to reach the service, such as https://pay.example.com. Default: http://HOST:PORT.',
    optional(webUrl),
  ),
  DATABASE_URL: setting(
    '',
    'PostgreSQL to use, 15 or newer. Of several hosts, separated by commas, the one that takes writes. Absent: an embedded one in FLORIN_DATA.',
    optional(urlsOfHosts),
  ),
  DATABASE_POOL_SIZE: setting(
    '',
    'Connections to the database; with API_PROCESSES of all processes together. Default: 8, or 4 for each of several processes.',
    optional(integer(1, 500)),
  ),
  DATABASE_PREPARED_STATEMENTS: setting('true', 'Set false behind PgBouncer in transaction mode.', flag),
  CELL: setting(
    DEFAULT_CELL,
    'Which of several installations behind one gateway this is: two letters or digits that its keys and tokens begin with.',
    cellName,
  ),
  FLORIN_DATA: setting('./data', 'Folder of the embedded database and the generated secret key.', nonEmpty),
  DATABASE_MARK_FILE: setting(
    '',
    'File that remembers how far the database was, to notice one that has gone back in time. Keep it on another disk than the database. Default: database-mark.json in FLORIN_DATA.',
    optional(nonEmpty),
  ),
  EMBEDDED_POSTGRES_UID: setting(
    '',
    'User and group id of the embedded PostgreSQL if the service runs as root. Default: 60720, an id without an account.',
    optional(integer(1, 4_294_967_294)),
  ),
  FLORIN_NETWORK: setting('sandbox', 'sandbox (test money, offline), devnet or mainnet.', oneOf(NETWORKS)),
  FLORIN_ROLES: setting(
    'all',
    'What this process does: all, or some of api,worker,watcher.',
    allOrSomeOf(ROLES),
  ),
  FLORIN_SECRET_KEY: setting(
    '',
    '32 bytes as 64 hex digits or base64; seals webhook secrets and links that wait for their e-mail. Absent: generated into FLORIN_DATA, embedded database only.',
    optional(secretKey),
  ),
  FLORIN_SECRET_KEYS_OLD: setting(
    '',
    'Old secret keys, comma-separated: they open what they sealed, and seal nothing new. For rotating FLORIN_SECRET_KEY.',
    secretKeyList,
  ),
  SOLANA_RPC_URLS: setting(
    '',
    'Solana RPC endpoints, comma-separated, the preferred one first. Required on devnet and mainnet.',
    urlList,
  ),
  SOLANA_WS_URL: setting('', 'Solana WebSocket endpoint, for faster payment detection.', optional(socketUrl)),
  SOLANA_WS_MAX_ACCOUNTS: setting(
    '1000',
    'How many payout addresses one WebSocket connection listens to; further ones open further connections.',
    integer(1, 1_000_000),
  ),
  SOLANA_RPC_QUORUM: setting(
    '',
    'How many nodes must agree before a payment is final. Default: 2, or 1 if one node is set.',
    optional(integer(1, 100)),
  ),
  SOLANA_RPC_QUORUM_STRICT: setting(
    'false',
    'A node that has been silent for 2 minutes still counts: nothing is final or expires without the quorum.',
    flag,
  ),
  FLORIN_ALLOW_HTTP: setting(
    'false',
    'On mainnet, PUBLIC_URL and Solana nodes may be http:// or ws:// on other machines too.',
    flag,
  ),
  USDC_MINT: setting(
    '',
    'Token mint that counts as money. Default: the USDC of the network.',
    optional(solanaAddress),
  ),
  SOLANA_MAX_CALLS_PER_SECOND: setting(
    '25 (sandbox: 5000)',
    'Maximum RPC calls per second, with API_PROCESSES of all processes together; further calls wait in a queue.',
    integer(1, 100_000),
  ),
  WATCH_POLL_MS: setting(
    '5000',
    'How often the balance of each payout address is looked at without a notification; six times less often, but every 30 s at least, while all notifications work; from 5,000 addresses on, less often.',
    integer(50, 600_000),
  ),
  WATCH_FINALITY_MS: setting(
    '400',
    'How often confirmed payments are polled until they are final, from shortly before the time that the last ones took.',
    integer(20, 60_000),
  ),
  SANDBOX_RPC_PORT: setting(
    '0',
    'Port of the sandbox chain’s Solana RPC on this machine; 0: the one it had last, or any free one.',
    integer(0, 65_535),
  ),
  SANDBOX_SLOT_MS: setting(
    '100',
    'Slot time of the sandbox chain; a payment is final after 32 slots.',
    integer(5, 10_000),
  ),
  FEE_PAYER_KEY_FILE: setting(
    '',
    'Key that pays network fees for payers without SOL, as solana-keygen writes it; mode 600. Absent: none (the sandbox makes one).',
    optional(nonEmpty),
  ),
  FEE_PAYER_MAX_LAMPORTS_PER_DAY: setting('50000000', 'What it pays per UTC day at most.', lamports),
  FEE_PAYER_MAX_LAMPORTS_PER_MERCHANT: setting(
    '',
    'The same for each merchant. Absent: a quarter of it where there are several merchants.',
    optional(lamports),
  ),
  FEE_PAYER_MIN_LAMPORTS: setting('10000000', 'With less than this left, it pays nothing.', lamports),
  INTENT_LIFE_MINUTES: setting('30', 'Minutes until an unpaid payment intent expires.', integer(5, 1_440)),
  RATE_LIMIT_KEY_PER_SECOND: setting(
    '100 (sandbox: 0)',
    'Requests per second per API key; 0 = no limit.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_KEY_BURST: setting(
    '200',
    'Requests an idle API key can make in a burst.',
    integer(1, 1_000_000),
  ),
  RATE_LIMIT_USAGE_PER_SECOND: setting(
    '1000 (sandbox: 0)',
    'Usage records per second per API key, one in each request; 0 = no limit.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: setting(
    '20 (sandbox: 0)',
    'Wrong API keys per minute per address; 0 = no limit.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_PUBLIC_PER_SECOND: setting(
    '10 (sandbox: 0)',
    'Requests without a key per second per address; 0 = no limit.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_CHECKOUT_PER_MINUTE: setting(
    '20 (sandbox: 0)',
    'Checkouts per minute per address and payment link, and portal links by e-mail per address and project; 0 = no limit.',
    integer(0, 1_000_000),
  ),
  LIVE_STREAMS_PER_ADDRESS: setting(
    '200 (sandbox: 0)',
    'Open page streams per address; 0 = no limit.',
    integer(0, 10_000),
  ),
  WEBHOOK_ALLOW_HTTP: setting(
    'false (sandbox: true)',
    'Webhook URLs may be http:// too. Never on mainnet.',
    flag,
  ),
  WEBHOOK_ALLOW_PRIVATE: setting(
    'false (sandbox: true)',
    'Webhooks may go to this machine and to private networks. Never on mainnet.',
    flag,
  ),
  WEBHOOK_HEADER_NAME: setting(
    'Service',
    'The word in header names such as X-Service-Signature.',
    headerWord,
  ),
  EVENT_RETENTION_DAYS: setting(
    '',
    'How long events are kept; the last one of each object stays. Default: forever.',
    optional(integer(30, 36_500)),
  ),
  WEBHOOK_KEEP_DAYS: setting('30', 'How long finished webhook deliveries are kept.', integer(1, 3_650)),
  REQUEST_LOG_DAYS: setting(
    '7',
    'How long requests of API keys are kept for their merchants; 0 = they are not recorded.',
    integer(0, 90),
  ),
  BACKUP_FOLDER: setting(
    '',
    'Existing folder, best on another disk, that a worker writes backups to. Absent: none are scheduled.',
    optional(nonEmpty),
  ),
  BACKUP_EVERY: setting('24', 'Hours between two of these backups.', integer(1, 8_760)),
  BACKUP_KEEP: setting(
    '14',
    'How many of them are kept; older ones are deleted after a new one is complete.',
    integer(1, 10_000),
  ),
  BACKUP_PROVE_EVERY: setting(
    '168',
    'Hours after which the next of them is also restored, into a database of its own, to prove that it can be. 0: never.',
    integer(0, 8_760),
  ),
  BACKUP_RECIPIENTS: setting(
    '',
    'Public keys (age1…) that these backups are encrypted for, comma-separated. Absent: they are not encrypted.',
    ageRecipients,
  ),
  SMTP_URL: setting(
    '',
    'Mail server for e-mails to customers: smtp://user:password@host:port, or smtps://…. Absent: no e-mails.',
    optional(parseSmtpUrl),
  ),
  SMTP_REQUIRE_TLS: setting('false', 'Send e-mails over TLS or not at all.', flag),
  SMTP_CA_FILE: setting('', 'PEM file of the CA of the mail server.', optional(readAuthority)),
  MAIL_FROM: setting(
    '',
    'Sender of e-mails, such as Billing <billing@example.com>. Required with SMTP_URL.',
    optional(parseMailbox),
  ),
  TRUST_PROXY: setting(
    'false',
    'Proxies whose X-Forwarded-For is trusted: false, true, or addresses and CIDR ranges, comma-separated.',
    trustProxy,
  ),
  METRICS_TOKEN: setting(
    '',
    'Bearer token for /metrics. Absent: /metrics answers direct calls from this machine only.',
    optional(nonEmpty),
  ),
  LOG_LEVEL: setting(
    'info',
    'trace, debug, info, warn, error or silent.',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const),
  ),
  LOG_SAMPLE_EVERY: setting(
    '100',
    'One in this many successful requests is logged; 0 = none, 1 = all. Failed and slow requests are always logged.',
    integer(0, 1_000_000),
  ),
  ...traceSettings,
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type Values = { [Name in keyof Settings]: ReturnType<Settings[Name]['parse']> };
