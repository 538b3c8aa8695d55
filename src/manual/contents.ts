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
    entry('concepts', 'Concepts', 'What there is, how it hangs together, and when money counts.'),
  ]),
  group('Guides', [
    entry('accept-a-payment', 'Accept a payment', 'From an order to a verified webhook and an invoice.'),
    entry('payment-links', 'Payment links', 'Sell with an address to share, without code of your own.'),
    entry('subscriptions', 'Subscriptions', 'Renewals the customer confirms, grace, changes of plan.'),
    entry('credits-and-usage', 'Credits and usage', 'Sell credits, take from them as customers use them.'),
    entry(
      'hosted-pages',
      'Pages your customers see',
      'Payment link, checkout, terminal display: what they show and do.',
    ),
    entry('portal', 'Customer portal', 'What customers see and change of their own, and the link in.'),
    entry('billing', 'Rules of billing', 'Projects, prices, sessions, invoices and balances in detail.'),
  ]),
  group('Build', [
    entry('sdk', 'TypeScript client', 'Every operation with types, repeats, lists, webhooks.'),
    entry('cli', 'Command line', 'Listen, trigger, pay, and every operation from a terminal.'),
    entry('webhooks', 'Webhooks', 'Receive, verify and rely on what the service tells you.'),
    entry('events', 'Events', 'Every event there is, each with a sample of its body.'),
    entry('errors', 'Errors', 'The one form of every error, each code, and when to try again.'),
    entry('scopes', 'Keys and scopes', 'What a key may do, which scope each operation needs.'),
    entry('idempotency', 'Idempotency', 'Repeat a request without doing anything twice.'),
  ]),
  group('Operate', [
    entry('configuration', 'Settings', 'Every environment variable, its default and its meaning.'),
    entry('operating', 'Operating', 'Run, watch, back up, upgrade and grow an installation.'),
    entry('dashboard', 'Dashboard', 'What a merchant opens in the morning, and how to use it quickly.'),
    entry('dashboard-sign-in', 'Signing in', 'Members, roles, passkeys, sessions, and lost access.'),
    entry('security', 'Security', 'What is protected, who is trusted, and what each attack costs.'),
    entry('going-live', 'Going live', 'From the sandbox to mainnet, with a list to check off.'),
    entry(
      'detection',
      'How payments are found',
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
