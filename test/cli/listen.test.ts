import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test, vi } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { type DeveloperCli, developerCli } from '../support/cli.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { type Running, startProcess } from '../support/process.ts';
import { call } from '../support/service.ts';
import { eventually, type Received, startReceiver } from '../support/webhooks.ts';

// Each test starts dozens of processes, one after the other: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 300_000 });

const FAST = { SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20', LOG_LEVEL: 'error' };

let service: Running;
let cli: DeveloperCli;
let apiKey: string;
let data: string;

beforeAll(async () => {
  data = await newDataFolder();
  service = await startProcess({ FLORIN_DATA: data, ...FAST });
  cleanUp(() => service.end('SIGTERM'));
  apiKey = service.apiKey!;
  cli = await developerCli();
  await cli.run(['login', '--url', service.url], { input: apiKey });
});

const ask = async (method: string, path: string, body?: unknown) =>
  (await call(service.url + path, method, body, { authorization: `Bearer ${apiKey}` })).body;

/** Every event the service has, oldest first. */
async function allEvents(): Promise<{ id: string; event: string }[]> {
  const events: { id: string; event: string }[] = [];
  for (let page = await ask('GET', '/api/v2/events?limit=100&after=earliest'); ; ) {
    events.push(...page.data);
    if (!page.hasMore) return events;
    page = await ask('GET', `/api/v2/events?limit=100&after=${page.nextCursor}`);
  }
}

const idsOf = (received: readonly Received[]) => received.map((one) => JSON.parse(one.body).id as string);

/** Both ways a receiver may check, with the secret that listen showed. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const [, time, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!;
  new Webhook(secret).verify(body, headers as Record<string, string>);
  return hex === createHmac('sha256', secret).update(`${time}${body}`).digest('hex');
}

async function startListening(...args: string[]) {
  const listening = cli.start('listen', ...args);
  await eventually(() => /Press Ctrl-C to stop/.test(listening.stdout() + listening.stderr()));
  return listening;
}

test('listen forwards what happens from then on: the bytes of the webhook, the same headers, signed both ways', async () => {
  const { received: delivered, url: webhookUrl } = await startReceiver();
  await ask('PATCH', '/api/b2b/merchants/webhook', { webhookUrl });
  await cli.out('trigger', 'invoice.created');
  await eventually(() => delivered.length === 1);
  const { received, url } = await startReceiver((response, _, count) =>
    response.writeHead(count === 2 ? 500 : 200).end(),
  );
  const listening = await startListening('--forward-to', `${url}/hook`);
  const secret = /Signed with (whsec_\w{40})/.exec(listening.stdout())![1]!;
  expect((await cli.out('listen', '--print-secret')).trim()).toBe(secret);

  await cli.out('trigger', 'invoice.paid');
  await cli.out('trigger', 'subscription.renewed');
  const intent = await ask('POST', '/api/merchants/intents', { amountCents: 1250, orderId: 'o1' });
  expect(await cli.out('pay', intent.id, '--amount', '5')).toContain('underpaid: $5.00 of $12.50 received');
  expect(await cli.out('pay', intent.id)).toContain('succeeded: $12.50 of $12.50 received');
  const events = await allEvents();
  await eventually(() => received.length === events.length - 1 && delivered.length === events.length);
  expect(idsOf(received)).toEqual(events.slice(1).map(({ id }) => id));
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/hook']));
  for (const one of received) {
    expect(isGenuine(one, secret)).toBe(true);
    const id = one.headers['webhook-id'];
    const sent = delivered.find(({ headers }) => headers['webhook-id'] === id)!;
    expect(one.body).toBe(sent.body);
    const names = ({ headers }: Received) =>
      Object.keys(headers).filter((name) => /^(x-|webhook-)/.test(name));
    expect(names(one).sort()).toEqual(names(sent).sort());
    expect(one.headers).toMatchObject({ 'x-service-event-id': id, 'content-type': 'application/json' });
  }
  const { code, stdout } = await listening.end('SIGINT');
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => line.includes(' → '));
  expect(lines).toHaveLength(received.length);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}invoice\.paid +[0-9a-f-]{36} {2}→ 200 in \d+ ms$/);
  expect(lines[1]).toContain('→ 500 in');
  expect(stdout).toContain(`${received.length} events, ${received.length - 1} accepted, 1 not.`);
  await ask('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: null });
});

test('listen outlives the service: killed and started again in the middle, nothing is lost and nothing comes twice', async () => {
  const { received, url } = await startReceiver();
  const listening = await startListening('--forward-to', url);
  const caused: string[] = [];
  const cause = async (times: number) => {
    for (let time = 0; time < times; time++)
      caused.push(
        (await ask('POST', '/api/v2/sandbox/events', { event: 'invoice.paid', requireUrl: false })).eventId,
      );
  };
  for (const round of [1, 2]) {
    await cause(60);
    if (round === 1) await eventually(() => received.length > 0);
    // At whatever point of a page it is.
    await service.end('SIGKILL');
    await eventually(() => listening.stderr().split('lost connection to').length > round);
    const port = new URL(service.url).port;
    service = await startProcess({ FLORIN_DATA: data, PORT: port, ...FAST });
    await eventually(() => listening.stderr().split('reconnected to').length > round);
    await cause(60);
  }
  await eventually(() => received.length >= caused.length);
  const { code } = await listening.end('SIGTERM');
  expect([code, idsOf(received)]).toEqual([0, caused]);
});

test('listen: only the events asked for; since a moment; one JSON line each; a receiver that comes late is waited for', async () => {
  const filtered = await startListening('--events', 'subscription.*,invoice.paid', '--json');
  const names = ['invoice.created', 'subscription.created', 'invoice.paid', 'customer.balance_low'];
  for (const name of names) await cli.out('trigger', name);
  const wanted = (await allEvents()).slice(-4).filter(({ event }) => /^subscription|paid$/.test(event));
  await eventually(() => filtered.stdout().split('\n').length > 2);
  const { stdout } = await filtered.end('SIGINT');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(wanted);

  await cli.out('clock', 'advance', '3h');
  const [before, last] = (await allEvents()).slice(-2);
  await cli.out('trigger', 'invoice.voided');
  const newest = (await allEvents()).at(-1)!;
  const recent = await startListening('--since', '1h', '--json');
  await eventually(() => recent.stdout().includes(newest.id));
  expect((await recent.end('SIGINT')).stdout).not.toContain(before!.id);
  expect(last).toBeDefined();
  const older = await startListening('--since', '10h', '--json');
  await eventually(() => older.stdout().includes(newest.id));
  expect((await older.end('SIGINT')).stdout).toContain(before!.id);

  const gone = await startReceiver();
  const port = Number(new URL(gone.url).port);
  await gone.close();
  const waiting = await startListening('--forward-to', gone.url);
  await ask('POST', '/api/v2/sandbox/events', { event: 'invoice.overdue', requireUrl: false });
  const late = await startReceiver(undefined, port);
  await eventually(() => late.received.length === 1);
  expect(late.received[0]!.headers['x-service-attempt']).toMatch(/^[1-6]$/);
  expect((await waiting.end('SIGINT')).stdout).toMatch(/invoice\.overdue .*→ 200/);
});

test('listen ends with an error when its key is revoked', async () => {
  const other = await developerCli();
  const made = await ask('POST', '/api/b2b/merchants/generate-key', { name: 'short-lived' });
  await other.run(['login', '--url', service.url], { input: made.apiKey });
  const listening = other.start('listen');
  await eventually(() => listening.stdout().includes('Ready'));
  await cli.out('api-keys', 'revoke', made.id);
  await eventually(() => listening.child.exitCode !== null);
  expect([listening.child.exitCode, listening.stderr()]).toEqual([
    1,
    expect.stringContaining('UNAUTHORIZED'),
  ]);
});

test('events --follow and logs --follow show what comes; logs and resend what was', async () => {
  // Deliveries that others have left for later may come here, too.
  const isOurs = ({ body }: { body: string }) => body.includes('invoice.uncollectible');
  let refused = 0;
  const { received, url } = await startReceiver((response, one) =>
    response.writeHead(isOurs(one) && refused++ === 0 ? 503 : 200).end(),
  );
  await ask('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: url });
  const following = cli.start('events', '--follow');
  const logging = cli.start('logs', '--follow');
  await eventually(() => /Ctrl-C/.test(following.stdout()) && /Ctrl-C/.test(logging.stdout()));
  const { eventId } = await cli.json('trigger', 'invoice.uncollectible');
  await eventually(() => following.stdout().includes(eventId));
  await eventually(() => /invoice\.uncollectible .*#1 .*HTTP 503 in \d+ ms/.test(logging.stdout()));
  const log = await cli.out('logs', '--event', 'invoice.uncollectible');
  const [, deliveryId] = /([0-9a-f-]{36}) {2}invoice\.uncollectible {2}retrying/.exec(log)!;
  expect(log).toMatch(/^ {2}#1 {2}.* HTTP 503 in \d+ ms$/m);
  expect(await cli.out('resend', deliveryId!)).toContain('Resent: invoice.uncollectible');
  // On a slow machine the retry of the first delivery arrives meanwhile, too.
  await eventually(() => received.filter(isOurs).length >= 2);
  await eventually(() => /#1 .* 200 in \d+ ms/.test(logging.stdout()));
  const [first, second] = received.filter(isOurs);
  expect(second!.body).toBe(first!.body);
  const [one] = (await cli.json('logs', '--status', 'succeeded', '--limit', '1')).data;
  expect(one).toMatchObject({ eventId, resendOf: deliveryId });
  expect([(await following.end('SIGINT')).code, (await logging.end('SIGINT')).code]).toEqual([0, 0]);
});

test('pay a session by its id and by its URL; the clock moves on and says so', async () => {
  const project = await cli.json('projects', 'create', '--name', 'Shop');
  const open = ['checkout-sessions', 'create', '--project-id', project.id, '--mode', 'one_time'];
  const [byId, byUrl] = [
    await cli.json(...open, '--amount-cents', '700'),
    await cli.json(...open, '--amount-cents', '900'),
  ];
  expect(await cli.out('pay', byId.id)).toContain('succeeded: $7.00 of $7.00 received');
  const sent = await cli.json('pay', byUrl.checkoutUrl);
  expect(sent.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/);
  expect(await cli.out('checkout-sessions', 'retrieve', byUrl.id)).toMatch(/^payment status +paid$/m);
  const byInvoice = await cli.json(...open, '--amount-cents', '300');
  expect(await cli.out('pay', byInvoice.invoiceId)).toContain('succeeded: $3.00 of $3.00 received');
  const failing = await ask('POST', '/api/merchants/intents', { amountCents: 100, orderId: 'f' });
  await cli.out('pay', failing.id, '--outcome', 'fail');
  await eventually(
    async () => (await ask('GET', `/api/merchants/intents/${failing.id}`)).status === 'failed',
  );

  const before = new Date((await cli.json('clock')).now);
  const after = new Date((await cli.json('clock', 'advance', '30d')).now);
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(30 * 86_400_000);
  expect(await cli.out('clock')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n$/);
  const to = new Date(after.getTime() + 86_400_000).toISOString();
  expect(await cli.out('clock', 'set', to)).toContain(to.slice(0, 10));
});
