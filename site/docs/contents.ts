/** One page of docs/, as the documentation names it. */
export interface Entry {
  /** The file without its ending, and the end of its address. */
  name: string;
  title: string;
  /** One line: what a reader finds there. */
  about: string;
}

export interface Group {
  title: string;
  entries: readonly Entry[];
}

/** Every page of docs/, in reading order. A new page is one line here; a test misses it otherwise. */
export const GROUPS: readonly Group[] = [
  group('Start', [
    entry('quickstart', 'Quickstart', 'A first paid checkout and its webhook, in under five minutes.'),
    entry('concepts', 'Concepts', 'The objects, how they relate, and when money counts.'),
  ]),
  group('Guides', [
    entry('accept-a-payment', 'Accept a payment', 'From an order to a verified webhook and an invoice.'),
    entry('payment-links', 'Payment links', 'Sell with a URL to share, without code of your own.'),
    entry(
      'embedded-checkout',
      'Embedded checkout',
      'Customers pay inside your own page, with one script or React.',
    ),
    entry('line-items', 'Line items and seats', 'Carts with quantities, and subscriptions with seats.'),
    entry('discounts', 'Discounts', 'Promotion codes, limits, and discounts that last for some renewals.'),
    entry('tax', 'Tax', 'Rates, prices with and without tax, reverse charge, and what invoices say.'),
    entry('accounting', 'Accounting', 'The general ledger, a bank statement, and lists, as files.'),
    entry(
      'invoices',
      'Invoices by hand',
      'Drafts, due dates, e-mails and reminders for work that no checkout started.',
    ),
    entry('subscriptions', 'Subscriptions', 'Renewals the customer confirms, grace periods, plan changes.'),
    entry('trials', 'Free trials', 'Days that are free at first, once for each customer and product.'),
    entry('credits-and-usage', 'Credits and usage', 'Sell credits, and charge usage against them.'),
    entry(
      'mpp',
      'Sell to programs by MPP',
      'Buyers without a browser: what they are offered and how they pay.',
    ),
    entry('refunds', 'Refunds', 'Send money back, ask the customer where to, and have the chain prove it.'),
    entry(
      'hosted-pages',
      'Pages your customers see',
      'Payment link, checkout, terminal display: what they show and do.',
    ),
    entry(
      'till',
      'Sell at a counter',
      'A phone or tablet as a till: pairing, selling, refunds, no developer.',
    ),
    entry('portal', 'Customer portal', 'What customers can see and change, and how they sign in.'),
    entry(
      'customer-erasure',
      'Delete a customer',
      'Forget a person: what is overwritten, what the law keeps, and how far it is.',
    ),
    entry('network-fees', 'Network fees', 'Customers who hold only USDC can pay: the fee is paid for them.'),
    entry('x402', 'Sell to programs', 'Programs and AI agents pay links, checkouts and paywalls by x402.'),
    entry('metadata', 'Metadata', 'Your own keys and values on every object, and finding it by them.'),
    entry(
      'expand',
      'Related objects',
      'Get an invoice with its customer, a price with its product, in one answer.',
    ),
    entry('billing', 'Billing rules', 'Projects, prices, sessions, invoices and balances in detail.'),
  ]),
  group('Build', [
    entry('sdk', 'TypeScript client', 'Every operation with types, retries, lists, webhooks.'),
    entry('cli', 'Command line', 'Listen, trigger, pay, and every operation from a terminal.'),
    entry(
      'connect-your-assistant',
      'Connect your assistant',
      'Let an AI assistant run the shop by MCP, without charging twice.',
    ),
    entry('webhooks', 'Webhooks', 'Receive, verify and rely on what the service sends you.'),
    entry('notifications', 'Notifications', 'Tell people in Slack, Discord, Telegram or by e-mail.'),
    entry('events', 'Events', 'Every event, each with a sample of its body.'),
    entry('errors', 'Errors', 'The error format, every code, and when to retry.'),
    entry('scopes', 'Keys and scopes', 'What a key may do, which scope each operation needs.'),
    entry('idempotency', 'Idempotency', 'Retry a request without doing anything twice.'),
  ]),
  group('Operate', [
    entry('installing', 'Installing', 'A release on a server: systemd, containers, a proxy, upgrades.'),
    entry('configuration', 'Settings', 'Every environment variable, its default and its meaning.'),
    entry('operating', 'Operating', 'Run, monitor, back up, upgrade and scale an installation.'),
    entry('upgrading', 'Upgrading', 'To a new release, one process or many, and back.'),
    entry('failover', 'Failover', 'A PostgreSQL that replaces its leader: tested settings, measured gaps.'),
    entry('moving', 'Moving a merchant', 'A merchant with all that is theirs goes to another installation.'),
    entry('debugging', 'Debugging', 'Why a request, a payment or a webhook did not do what it should.'),
    entry('dashboard', 'Dashboard', 'Where a merchant starts the day, and how to use it quickly.'),
    entry('dashboard-sign-in', 'Signing in', 'Members, roles, passkeys, sessions, and lost access.'),
    entry('security', 'Security', 'What is protected, who is trusted, and what each attack costs.'),
    entry('going-live', 'Going live', 'From the sandbox to mainnet, with a checklist.'),
    entry('providers', 'Providers and their plans', 'How many calls a shop makes, and which plans fit.'),
    entry(
      'detection',
      'How payments are detected',
      'What is read on chain, what counts, what is never assumed.',
    ),
    entry('promises', 'What you can rely on', 'What the service guarantees, and how that is tested.'),
  ]),
];

export const ENTRIES: readonly Entry[] = GROUPS.flatMap(({ entries }) => entries);

function group(title: string, entries: readonly Entry[]): Group {
  return { title, entries };
}

function entry(name: string, title: string, about: string): Entry {
  return { name, title, about };
}
