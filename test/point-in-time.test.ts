import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { type OwnPostgres, ownPostgres } from './support/own-postgres.ts';
import { florin, type Running, startProcess, temporaryFolder } from './support/process.ts';
import { call } from './support/service.ts';
import { startReceiver } from './support/webhooks.ts';

/** The commands of the guide, in their order: archive, base backup, going back, forgetting the moment. */
function commandsOfGuide(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8');
  const guide = page.split('### Back to a moment\n')[1]!.split('\n### ')[0]!;
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
}

const FAST = { SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20', LOG_LEVEL: 'error' };

/** A shop whose key was printed at the first start. */
class Shop {
  readonly #headers: { authorization: string };
  service: Running;

  constructor(service: Running, apiKey: string) {
    this.service = service;
    this.#headers = { authorization: `Bearer ${apiKey}` };
  }

  call(method: string, path: string, body?: unknown) {
    return call(this.service.url + path, method, body, this.#headers);
  }

  async session(projectId: string) {
    const wanted = { projectId, mode: 'one_time', amountCents: 500, customerEmail: 'ada@example.com' };
    const { status, body, text } = await this.call('POST', '/api/v2/checkout-sessions', wanted);
    expect([status, text]).toEqual([201, text]);
    return body;
  }

  invoice = async ({ invoiceId }: { invoiceId: string }) =>
    (await this.call('GET', `/api/v2/invoices/${invoiceId}`)).body;

  async pay(session: { invoiceId: string; paymentIntentId: string }): Promise<void> {
    const payment = { paymentIntentId: session.paymentIntentId };
    expect((await this.call('POST', '/api/v2/sandbox/payments', payment)).status).toBe(202);
    await expect.poll(async () => (await this.invoice(session)).status).toBe('paid');
  }

  async latestCursor(): Promise<string> {
    return (await this.call('GET', '/api/v2/events?after=latest')).body.nextCursor;
  }
}

/** Follows the guide back to a moment, and waits as it says. */
async function goBack(server: OwnPostgres, commands: string, moment: string, base: string): Promise<void> {
  const filledIn = commands
    .replace(/^MOMENT=.*$/m, `MOMENT='${moment}'`)
    .replace(/^BASE=.*$/m, `BASE=${base.trim()}`);
  expect(filledIn).toContain(moment);
  await server.follow(filledIn);
  await expect.poll(() => server.query('select pg_is_in_recovery()')).toBe('f');
}

test('back to a moment as the guide says: the loss is noticed, payments come back from the chain, and no number is given out twice', async () => {
  const [archive, base, back, forget] = commandsOfGuide() as [string, string, string, string];
  const server = await ownPostgres();
  await server.follow(archive);
  const env = {
    ...{ ...FAST, DATABASE_URL: server.databaseUrl, FLORIN_DATA: await temporaryFolder(cleanUp) },
    FLORIN_SECRET_KEY: randomBytes(32).toString('hex'),
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await florin([...args, '--json'], env);
    return { code, stderr, answer: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  const first = await startProcess(env);
  cleanUp(() => first.end('SIGKILL'));
  await server.follow(base);
  const shop = new Shop(first, first.apiKey!);
  const receiver = await startReceiver();
  expect((await shop.call('POST', '/api/v2/webhook-endpoints', { url: receiver.url })).status).toBe(201);
  const project = (await shop.call('POST', '/api/v2/projects', { name: 'Shop' })).body;
  const paid = await shop.session(project.id);
  await shop.pay(paid);
  const open = await shop.session(project.id);
  const known = await shop.latestCursor();

  const moment = await server.query('select clock_timestamp()');
  await server.query("update customers set name = 'Everybody'");
  await shop.pay(open);
  const lost = await shop.session(project.id);
  await shop.pay(lost);
  expect((await shop.invoice(lost)).number).toBe('INV-000003');
  const future = await shop.latestCursor();
  expect(await first.end('SIGTERM')).toBe(0);
  await goBack(server, back, moment, `/backups/${await server.follow('basename /backups/base-*')}`);

  const noticed = await run('doctor');
  expect(noticed.code).toBe(1);
  expect(noticed.answer.findings.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([
    { check: 'history' },
  ]);
  expect(await server.query("select count(*) from customers where name = 'Everybody'")).toBe('0');

  // Without a watcher, which would find the payments first.
  const second = await startProcess({ ...env, FLORIN_ROLES: 'api,worker' });
  cleanUp(() => second.end('SIGKILL'));
  shop.service = second;
  const order = () =>
    shop.call('POST', '/api/v2/checkout-sessions', {
      projectId: project.id,
      mode: 'one_time',
      amountCents: 500,
    });
  expect((await order()).status).toBe(503);
  expect((await fetch(`${second.url}/health/ready`)).status).toBe(503);
  expect((await shop.invoice(open)).status).toBe('open');

  expect((await run('numbers')).answer.projects).toMatchObject([{ lastNumber: 'INV-000002' }]);
  const renewed = (await run('numbers', '--new-prefixes')).answer.projects[0].newPrefix;
  expect(renewed).toMatch(/^INV-\d{6}$/);

  const dayBefore = new Date(Date.parse(moment.trim()) - 86_400_000).toISOString().slice(0, 10);
  const compared = await run('reconcile', '--since', dayBefore);
  expect([compared.code, compared.answer.differences]).toMatchObject([
    1,
    [{ booked: null }, { booked: null }],
  ]);
  receiver.received.length = 0;
  const repaired = await run('reconcile', '--since', dayBefore, '--repair');
  expect([repaired.code, repaired.answer.differences, repaired.answer.repaired.length]).toEqual([0, [], 2]);
  expect(await shop.invoice(open)).toMatchObject({ status: 'paid', number: 'INV-000002' });
  await expect
    .poll(() => receiver.received.map(({ body }) => JSON.parse(body).event))
    .toContain('invoice.paid');
  const again = await run('reconcile', '--repair');
  expect([again.code, again.answer.repaired]).toEqual([0, []]);
  // The order itself is gone, its money is not.
  expect((await shop.call('GET', `/api/v2/checkout-sessions/${lost.id}`)).status).toBe(404);
  const exceptions = (await shop.call('GET', '/api/v2/exceptions')).body.data;
  expect(exceptions).toMatchObject([{ status: 'open' }]);

  expect((await order()).status).toBe(503);
  expect(await run('accept-database')).toMatchObject({ code: 0, answer: { accepted: true } });
  await expect.poll(async () => (await order()).status).toBe(201);
  expect((await shop.invoice(await shop.session(project.id))).number).toMatch(
    new RegExp(`^${renewed}-00000\\d$`),
  );
  const pulled = (cursor: string) => shop.call('GET', `/api/v2/events?after=${cursor}`);
  expect((await pulled(known)).status).toBe(200);
  const refused = await pulled(future);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('start again with earliest or latest'),
  ]);
  await server.follow(forget);
  expect(await run('doctor')).toMatchObject({ code: 0, answer: { ok: true } });
});
