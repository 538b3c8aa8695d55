import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { ApiFailure, type Client } from './client.ts';
import { type ConnectionOptions, connect, findConnection } from './connection.ts';
import { runCommand } from './explain.ts';
import { dollars, parseDollars } from './format-value.ts';
import { type Io, painter, Refusal, say, UsageError } from './io.ts';
import { connectionOptions } from './options.ts';
import { askSandbox } from './sandbox-commands.ts';
import { paintStatus } from './show.ts';

export interface PayOptions extends ConnectionOptions {
  amount?: string;
  amountCents?: string;
  outcome?: string;
  wait: boolean;
  json?: boolean;
}

/** Pays through the API; without a login, as the operator, with this machine's data. */
export function payCommand(
  florin: Command,
  io: Io,
  payAsOperator: (intentId: string, options: PayOptions) => Promise<void>,
): void {
  const command = florin
    .command('pay <what>')
    .description(
      'pay with test money, in the sandbox: a payment intent, a checkout session or its URL, an invoice, a subscription’s renewal',
    )
    .option('--amount <dollars>', 'such as 12.34; default: what is still due')
    .option('--amount-cents <cents>', 'the same in cents')
    .addOption(
      new Option('--outcome <outcome>', 'default: pay').choices([
        'pay',
        'fail',
        'wrong_mint',
        'no_reference',
      ]),
    )
    .option('--no-wait', 'do not wait until the payment is detected and final')
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin pay 01a1de09-f5fa-7000-97ac-aebeddd9935d\n  $ florin pay http://127.0.0.1:4020/checkout/… --amount 5',
    );
  connectionOptions(command).action(async (what: string, options: PayOptions) => {
    const amountCents = () => amountOf(options);
    await runCommand(io, Boolean(options.json), async () => {
      if (findConnection(io, options).apiKey) return pay(io, what, amountCents(), options);
      const cents = amountCents();
      return payAsOperator(what, { ...options, ...(cents !== undefined && { amountCents: String(cents) }) });
    });
  });
}

async function pay(
  io: Io,
  what: string,
  amountCents: bigint | undefined,
  options: PayOptions,
): Promise<void> {
  const client = connect(io, options);
  const before = await findIntent(client, what);
  const { outcome = 'pay' } = options;
  const body = stringifyJson({
    paymentIntentId: before.id,
    ...(amountCents !== undefined && { amountCents }),
    outcome,
  });
  const sent = await askSandbox(client, { method: 'POST', path: '/api/v2/sandbox/payments', body });
  if (!options.json) say(io, `Sent. Transaction ${sent.body.signature}`);
  // Only money that counts toward the intent changes it in a way that can be waited for.
  const after = options.wait && outcome === 'pay' ? await untilCounted(client, before) : undefined;
  if (options.json) return say(io, sent.text);
  if (!after) return;
  const paint = painter(io, io.stdout);
  const { status, amountReceivedCents, expectedAmountCents } = after;
  say(
    io,
    `${paintStatus(paint, status)}: ${dollars(amountReceivedCents)} of ${dollars(expectedAmountCents)} received`,
  );
}

function amountOf({ amount, amountCents }: PayOptions): bigint | undefined {
  if (amount !== undefined && amountCents !== undefined)
    throw new UsageError('--amount and --amount-cents are alternatives; use one');
  if (amount !== undefined) {
    const cents = parseDollars(amount);
    if (cents === undefined) throw new UsageError(`--amount must be dollars such as 12.34, not "${amount}"`);
    return cents;
  }
  if (amountCents === undefined) return undefined;
  if (!/^\d{1,19}$/.test(amountCents))
    throw new UsageError(`--amount-cents must be a whole number, not "${amountCents}"`);
  return BigInt(amountCents);
}

interface Intent {
  id: string;
  status: string;
  expectedAmountCents: number | bigint;
  amountReceivedCents: number | bigint;
}

async function findIntent(client: Client, what: string): Promise<Intent> {
  if (isUuid(what))
    return (await intentAt(client, what)) ?? intentAt(client, await intentBehind(client, what), true);
  if (/^https?:\/\//.test(what)) return intentAt(client, await intentOfUrl(client, what), true);
  throw new UsageError(`"${what}" is neither an id nor a checkout URL`);
}

function intentAt(client: Client, id: string, isCertain: true): Promise<Intent>;
function intentAt(client: Client, id: string): Promise<Intent | undefined>;
async function intentAt(client: Client, id: string, isCertain = false): Promise<Intent | undefined> {
  try {
    return (await client.ask({ method: 'GET', path: `/api/merchants/intents/${id}` })).body;
  } catch (error) {
    if (!isCertain && error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

/** Finds the intent behind another id: of a session, or of an object that leads to one. */
async function intentBehind(client: Client, id: string): Promise<string> {
  const session = await find(client, 'checkout-sessions', id);
  if (session) return payable(session);
  const subscription = await find(client, 'subscriptions', id);
  const invoice = await find(client, 'invoices', subscription?.latestInvoiceId ?? id);
  if (!invoice)
    throw new Refusal(
      `there is no payment intent, checkout session, invoice or subscription ${id}`,
      `Searched at ${client.url}, with the key you are logged in with.`,
    );
  const billed =
    invoice.checkoutSessionId && (await find(client, 'checkout-sessions', invoice.checkoutSessionId));
  if (!billed) throw new Refusal(`nothing is left to pay for the invoice ${invoice.id}`);
  return payable(billed);
}

async function find(client: Client, resource: string, id: string) {
  try {
    return (await client.ask({ method: 'GET', path: `/api/v2/${resource}/${id}` })).body;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

const SEARCHED_PAGES = 50;

/** A checkout URL contains its own secret instead of the session's id, so the session is searched for. */
async function intentOfUrl(client: Client, url: string): Promise<string> {
  const token = new URL(url).pathname.split('/').at(-1);
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < SEARCHED_PAGES; pages++) {
    const query = [['limit', '100'] as const, ...(cursor ? [['cursor', cursor] as const] : [])];
    const { body } = await client.ask({ method: 'GET', path: '/api/v2/checkout-sessions', query });
    const found = body.data.find((session: { checkoutUrl: string }) =>
      session.checkoutUrl.endsWith(`/checkout/${token}`),
    );
    if (found) return payable(found);
    cursor = body.hasMore ? body.nextCursor : null;
  }
  throw new Refusal(`no checkout session has the URL ${url}`);
}

function payable({ id, paymentIntentId }: { id: string; paymentIntentId: string | null }): string {
  if (paymentIntentId === null) throw new Refusal(`nothing is left to pay for the session ${id}`);
  return paymentIntentId;
}

const POLL_MS = 200;
const PATIENCE_MS = 60_000;

async function untilCounted(client: Client, before: Intent): Promise<Intent | undefined> {
  const startedMs = elapsedMs();
  while (elapsedMs() - startedMs < PATIENCE_MS) {
    const now = await intentAt(client, before.id, true);
    if (BigInt(now.amountReceivedCents) > BigInt(before.amountReceivedCents) && now.status !== 'processing')
      return now;
    await sleep(POLL_MS);
  }
  throw new Refusal(
    'the payment was sent but not settled within a minute',
    `Check it with: florin intents retrieve ${before.id}`,
  );
}
