import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type Florin, type Subscription, webhooks } from '../sdk/src/florin.ts';
import { requireTool } from './support/debian.ts';
import { type Example, type Sandbox, startExample, startSandbox } from './support/example.ts';
import { blockedReason } from './support/guide.ts';
import { eventually } from './support/webhooks.ts';

/** The example is started by npm, and on a busy machine that takes a while. */
const GIVE_UP_MS = 300_000;
const DAY_SECONDS = 86_400;

let sandbox: Sandbox;
let florin: Florin;
let app: Example;
beforeAll(async () => {
  sandbox = await startSandbox();
  florin = sandbox.florin;
  app = await startExample('subscription-app', sandbox.env);
}, GIVE_UP_MS);

/** A browser of one team: it has a cookie, and stays where it is when it is sent on. */
async function signIn(team: string) {
  const first = await post('/sign-in', { team });
  const cookie = first.headers.get('set-cookie')!.split(';')[0]!;
  const visit = {
    get: (path: string) => fetch(app.url + path, { headers: { cookie }, redirect: 'manual' }),
    post: (path: string, fields: Record<string, string>) => post(path, fields, cookie),
    text: async (path: string) => (await visit.get(path)).text(),
    /** Checks what is open to them, as they see it. */
    sees: async (status: number, text: string) => {
      const [notes, account] = await Promise.all([visit.get('/notes'), visit.text('/account')]);
      return notes.status === status && account.includes(text);
    },
  };
  return visit;
}

const post = (path: string, fields: Record<string, string>, cookie = '') =>
  fetch(app.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie },
    redirect: 'manual',
  });

const fieldOf = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)![1]!;
const whereTo = (answer: Response) => answer.headers.get('location')!;
const timesIn = (text: string) => app.output().split(text).length - 1;
const advance = (days: number) =>
  florin.sandbox.moveClock({ advanceSeconds: Math.round(days * DAY_SECONDS) });

async function subscriptionOf(externalCustomerId: string): Promise<Subscription> {
  for await (const subscription of florin.subscriptions.list()) {
    if (subscription.externalCustomerId === externalCustomerId) return subscription;
  }
  throw new Error(`${externalCustomerId} has no subscription`);
}

/** Pays what the page of a checkout asks for; answers its invoice. */
async function payAt(checkoutUrl: string) {
  for await (const session of florin.checkoutSessions.list()) {
    if (session.checkoutUrl !== checkoutUrl) continue;
    await florin.sandbox.pay({ paymentIntentId: session.paymentIntentId });
    await eventually(
      async () => (await florin.checkoutSessions.retrieve(session.id)).paymentStatus === 'paid',
    );
    return florin.invoices.retrieve(session.invoiceId);
  }
  throw new Error(`no checkout is at ${checkoutUrl}`);
}

/** Every event about a subscription, as it was sent, oldest first. */
async function sentAbout(subscriptionId: string): Promise<string[]> {
  const sent = await florin.webhookDeliveries.list({ status: 'succeeded' }).toArray({ limit: 500 });
  return sent
    .map(({ requestBody }) => requestBody!)
    .filter((body) => JSON.parse(body).data.subscription?.id === subscriptionId)
    .reverse();
}

async function receive(payload: string, secret = sandbox.webhookSecret): Promise<number> {
  const signature = await webhooks.generateTestHeader({ payload, secret });
  const headers = { 'x-service-signature': signature };
  return (await fetch(app.webhookUrl, { method: 'POST', body: payload, headers })).status;
}

test('a team’s whole life: trial, first invoice, renewal, more seats, overdue, ended', {
  timeout: GIVE_UP_MS,
}, async () => {
  const ada = await signIn('ada');
  const pricing = await ada.text('/');
  expect(pricing).toContain('<b>$12.00</b> per seat and month. The first 14 days are free.');
  expect((await ada.get('/notes')).status).toBe(402);
  const form = { attempt: fieldOf(pricing, 'attempt'), seats: '3', code: 'welcome' };
  expect((await ada.post('/subscribe', { ...form, seats: '0' })).status).toBe(400);
  const refused = await ada.post('/subscribe', { ...form, code: 'nonsense' });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('This promotion code cannot be used.'),
  ]);
  const clicks = await Promise.all([ada.post('/subscribe', form), ada.post('/subscribe', form)]);
  expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
  expect(whereTo(clicks[1]!)).toBe(whereTo(clicks[0]!));
  expect(await (await fetch(whereTo(clicks[0]!))).text()).toContain(
    'Free for 14 days, then $27.00 for 1 month, and after that $36.00 every month.',
  );
  await eventually(() => ada.sees(200, 'ada: 3 seats. Free trial.'));
  expect(timesIn('Open ada, seats: 3\n')).toBe(1);
  expect(whereTo(await ada.post('/subscribe', form))).toBe('/account');

  await expectReadmeRight();
  await eventually(() => ada.sees(200, 'Pay your renewal'));
  const { id, renewalCheckoutUrl } = await subscriptionOf('ada');
  expect((await payAt(renewalCheckoutUrl!)).totalCents).toBe(2700);
  await advance(4);
  await eventually(() => ada.sees(200, 'ada: 3 seats. Active.'));
  expect(await ada.text('/account')).not.toContain('Pay your renewal');

  await advance(25);
  const renewal = (await subscriptionOf('ada')).renewalCheckoutUrl!;
  expect(await ada.text('/account')).toContain(`<a href="${renewal}">Pay your renewal</a>`);
  expect((await payAt(renewal)).totalCents).toBe(3600);
  await advance(7);
  await eventually(async () => (await florin.subscriptions.retrieve(id)).renewalCheckoutUrl === null);

  const preview = await (await ada.post('/seats/preview', { seats: '5' })).text();
  const due = /Due now: <b>\$(\d+)\.(\d\d)<\/b>/.exec(preview)!.slice(1).join('');
  expect(Number(due)).toBeGreaterThan(1000);
  expect(preview).toContain(': $60.00.');
  const change = { seats: '5', token: fieldOf(preview, 'token') };
  expect((await ada.post('/seats', { ...change, seats: '4' })).status).toBe(409);
  const changed = await ada.post('/seats', change);
  expect(changed.status).toBe(303);
  expect(await ada.text('/account')).toContain('Pay for 5 seats');
  expect(await ada.text('/notes')).toContain('with 3 seats');
  expect((await payAt(whereTo(changed))).totalCents).toBe(Number(due));
  await eventually(async () => (await ada.text('/notes')).includes('with 5 seats'));
  expect(timesIn('Change ada, seats: 5\n')).toBe(1);
  expect((await ada.post('/seats', change)).status).toBe(409);

  const { currentPeriodEnd } = await florin.subscriptions.retrieve(id);
  await florin.sandbox.moveClock({ to: new Date(Date.parse(currentPeriodEnd!) + 1000) });
  await eventually(() => ada.sees(200, 'Your renewal is overdue.'));
  await advance(8);
  await eventually(() => ada.sees(402, 'ada: 5 seats. Ended.'));
  expect(timesIn('Close ada\n')).toBe(1);

  // Everything once more, in order and backwards: what is over stays over.
  const sent = await sentAbout(id);
  const names = sent.map((body) => JSON.parse(body).event);
  expect(names).toEqual(expect.arrayContaining(['subscription.activated', 'subscription.past_due']));
  for (const body of [...sent, ...sent.toReversed()]) expect(await receive(body)).toBe(204);
  expect(await ada.sees(402, 'ada: 5 seats. Ended.')).toBe(true);
  expect([timesIn('Open ada'), timesIn('Change ada'), timesIn('Close ada')]).toEqual([1, 1, 1]);
});

test('an end that arrives before the beginning is the end; forged, foreign and other events open nothing', {
  timeout: GIVE_UP_MS,
}, async () => {
  const bob = await signIn('bob');
  const form = { attempt: fieldOf(await bob.text('/'), 'attempt'), seats: '1', code: '' };
  await bob.post('/subscribe', form);
  await eventually(() => bob.sees(200, 'bob: 1 seat. Free trial.'));
  const portal = await bob.post('/portal', {});
  expect(portal.status).toBe(303);
  expect(await (await fetch(whereTo(portal))).text()).toContain('Open my account');

  const { id } = await subscriptionOf('bob');
  const activated = (await sentAbout(id)).find((body) => body.includes('subscription.activated'))!;
  /** The same of another team, with its own number. */
  const of = (team: string, sequence: number, status: string, hasAccess: boolean, more = {}) => {
    const event = JSON.parse(activated);
    Object.assign(event, { sequence, status });
    Object.assign(event.data.subscription, {
      id: `of ${team}`,
      externalCustomerId: team,
      status,
      hasAccess,
      ...more,
    });
    return JSON.stringify(event);
  };
  const eve = await signIn('eve');
  expect(await receive(of('eve', 2, 'active', true), 'whsec_another')).toBe(400);
  expect(await receive(of('eve', 2, 'active', true, { projectId: 'another' }))).toBe(204);
  expect(await receive(of('eve', 5, 'canceled', false))).toBe(204);
  expect(await receive(of('eve', 4, 'past_due', true))).toBe(204);
  expect(await receive(of('eve', 2, 'active', true))).toBe(204);
  expect((await eve.get('/notes')).status).toBe(402);
  expect(timesIn('Open eve')).toBe(0);
  // Back within 30 days; what is late from before does not close it again.
  expect(await receive(of('eve', 6, 'active', true))).toBe(204);
  expect(await receive(of('eve', 5, 'canceled', false))).toBe(204);
  expect((await eve.get('/notes')).status).toBe(200);
});

test('nobody sees or changes another team’s plan, and odd forms are refused', async () => {
  const mallory = await signIn('mallory');
  expect(await mallory.text('/account')).toContain('We are waiting for your plan.');
  for (const path of ['/portal', '/seats', '/seats/preview']) {
    expect((await mallory.post(path, { seats: '2', token: 'x' })).status).toBe(402);
    expect((await post(path, { seats: '2', token: 'x' })).status).toBe(402);
  }
  const answers = await Promise.all([
    post('/sign-in', { team: '<b>' }),
    post('/sign-in', {}),
    mallory.post('/subscribe', { attempt: 'x', seats: '1' }),
    fetch(`${app.url}/none`),
    mallory.post('/subscribe', { seats: '1', code: 'x'.repeat(200_000) }),
    fetch(app.webhookUrl, { method: 'POST', body: 'x'.repeat(1_100_000) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 413, 413]);
  expect(whereTo(await post('/subscribe', { seats: '1' }))).toBe('/');
});

/** The command that the README lets time pass with, and what the README says is answered. */
async function expectReadmeRight(): Promise<void> {
  requireTool('curl');
  const readme = readFileSync(join(import.meta.dirname, '../examples/subscription-app/README.md'), 'utf8');
  const [, command, text] = /```sh\n(curl[\s\S]*?)```\s+```json\n([\s\S]*?)```/.exec(readme)!;
  const env = { ...process.env, ...sandbox.env };
  const { stdout } = await promisify(execFile)('bash', ['-c', command!], { env });
  expect(blockedReason(stdout, { language: 'json', text: text! })).toBeUndefined();
}
