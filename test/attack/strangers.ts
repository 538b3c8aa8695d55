import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Attack, allRefused, expected, held, refused } from './attack.ts';
import { type Answer, openStreams } from './call.ts';
import { newLink } from './requests.ts';
import { newIntent, type Party, type Target } from './target.ts';

const OPENAPI = join(import.meta.dirname, '../../openapi.json');
const NO_ONE = '019b76da-a800-7000-8000-000000000001';

/** A call of the dashboard's, with a member's cookie and whatever else is said. */
const asMember = (
  { stranger }: Target,
  { owner }: Party,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  stranger({ method, path, body, headers: { cookie: owner.cookie, ...headers }, from: '127.0.0.1' });

const signIn = ({ stranger }: Target, email: string, password: string, from: string) =>
  stranger({ method: 'POST', path: '/api/dashboard/sign-in', body: { email, password }, from });

/** Somebody without a key, or in somebody else's browser. */
export const strangerAttacks: readonly Attack[] = [
  {
    name: 'every operation without a key',
    tries: 'each operation of openapi.json that asks for a key, called without one',
    async run({ stranger }) {
      const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8'));
      const calls = Object.entries<Record<string, { security?: unknown[] }>>(paths).flatMap(
        ([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
      );
      const guarded = calls.filter(({ operation }) => (operation.security?.length ?? 0) > 0);
      const answers: Answer[] = [];
      for (const [i, { path, method }] of guarded.entries()) {
        const at = path.replace(/\{\w+\}/g, NO_ONE);
        const body = method === 'get' || method === 'delete' ? undefined : {};
        // From many addresses, so that it is the missing key that is refused.
        answers.push(
          await stranger({ method: method.toUpperCase(), path: at, body, from: `127.8.${i >> 3}.9` }),
        );
      }
      const open = answers.filter(({ status }) => ![400, 401, 403, 404, 429].includes(status));
      return held(open.length === 0 && guarded.length > 50, `${guarded.length} operations refused`);
    },
  },
  {
    name: 'what a payer may know',
    tries: 'order, merchant id and other customers through the public view of an intent',
    async run({ alice, stranger }) {
      const { id } = await newIntent(alice, { orderId: 'secret-order' });
      const { body, text } = expected(await stranger({ path: `/api/public/intents/${id}` }), 200);
      const isBare = !('merchantId' in body) && !text.includes(alice.id);
      return held(isBare, `only ${Object.keys(body).length} fields, none of them the merchant's id`);
    },
  },
  {
    name: 'guessed intents and tokens',
    tries: 'random ids of intents, checkouts, links, terminals, receipts and portals',
    async run({ stranger }) {
      const token = 'A'.repeat(43);
      const paths = [
        `/api/public/intents/${NO_ONE}`,
        `/intents/${NO_ONE}`,
        `/terminals/${NO_ONE}`,
        `/checkout/${token}`,
        `/checkout/${token}/receipt.pdf`,
        `/pay/${token}`,
        `/api/v2/payment-links/${token}`,
        `/intents/${NO_ONE}/live`,
        `/checkout/${token}/live`,
      ];
      const answers = await Promise.all(paths.map((path) => stranger({ path })));
      return held(
        answers.every(({ status }) => status === 404),
        `${paths.length} × 404`,
      );
    },
  },
  {
    name: 'forged portal token',
    tries: 'a portal link made up, and a portal cookie made up',
    async run({ stranger }) {
      const login = await stranger({
        method: 'POST',
        path: '/api/portal/login',
        body: { token: 'A'.repeat(43) },
      });
      const me = await stranger({
        path: '/api/portal/me',
        headers: { cookie: 'florin_portal=AAAA; portal=AAAA' },
      });
      return allRefused([login, me], 400, 401, 404, 410);
    },
  },
  {
    name: 'portal link used twice',
    tries: 'a customer’s link opened again by someone who finds it in a mailbox',
    async run({ alice, stranger }) {
      const { projectId } = alice;
      const { body: customer } = await alice.call('POST', '/api/v2/customers', { projectId });
      const made = await alice.call('POST', '/api/v2/portal-sessions', {
        projectId,
        customerId: customer.id,
      });
      const token = new URL(expected(made, 200, 201).body.url).pathname.split('/').pop();
      expected(await stranger({ method: 'POST', path: '/api/portal/login', body: { token } }), 200, 201, 204);
      return refused(await stranger({ method: 'POST', path: '/api/portal/login', body: { token } }), 410);
    },
  },
  {
    name: 'customer changes another’s data',
    tries: 'a portal session asks for another customer’s invoice and subscription',
    async run({ alice, stranger }) {
      const { projectId } = alice;
      const { body: customer } = await alice.call('POST', '/api/v2/customers', { projectId });
      const made = await alice.call('POST', '/api/v2/portal-sessions', {
        projectId,
        customerId: customer.id,
      });
      const token = new URL(made.body.url).pathname.split('/').pop();
      const login = await stranger({ method: 'POST', path: '/api/portal/login', body: { token } });
      const cookie = String(login.headers['set-cookie']).split(';')[0]!;
      const paths = [
        `/api/portal/invoices/${NO_ONE}`,
        `/api/portal/subscriptions/${NO_ONE}`,
        `/api/portal/invoices/${NO_ONE}/pdf`,
      ];
      return allRefused(await Promise.all(paths.map((path) => stranger({ path, headers: { cookie } }))), 404);
    },
  },
  {
    name: 'dashboard change without the token',
    tries: 'a foreign page that posts with the owner’s cookie: no token, another’s, as a form',
    async run(target) {
      const { alice, mallory } = target;
      const change = (headers: Record<string, string>, body: unknown = { name: 'Mallory' }) =>
        asMember(target, alice, 'PATCH', '/api/dashboard/me', body, headers);
      const answers = [
        await change({}),
        await change({ 'x-csrf-token': mallory.owner.csrfToken }),
        await change({ 'x-csrf-token': '' }),
        await change({ 'content-type': 'text/plain' }, '{"name":"Mallory"}'),
        await change({ 'content-type': 'application/x-www-form-urlencoded' }, 'name=Mallory'),
      ];
      return allRefused(answers, 403, 415);
    },
  },
  {
    name: 'dashboard cookie from elsewhere',
    tries: 'a cookie made up, cut, and with another’s end',
    async run(target) {
      const { alice, mallory, stranger } = target;
      const [name, value] = alice.owner.cookie.split('=') as [string, string];
      const forged = [
        `${name}=${'A'.repeat(value.length)}`,
        `${name}=${value.slice(0, -2)}`,
        `${name}=${value.slice(0, 20)}${mallory.owner.cookie.slice(-20)}`,
      ];
      const answers = forged.map((cookie) =>
        stranger({ path: '/api/dashboard/session', headers: { cookie } }),
      );
      return allRefused(await Promise.all(answers), 401);
    },
  },
  {
    name: 'owner of another merchant',
    tries: 'Mallory’s owner ends Alice’s owner, reads her members and sessions',
    async run(target) {
      const { alice, mallory } = target;
      const { body } = await asMember(target, alice, 'GET', '/api/dashboard/members');
      const hers = body[0].id;
      const headers = { 'x-csrf-token': mallory.owner.csrfToken };
      const answers = [
        await asMember(target, mallory, 'DELETE', `/api/dashboard/members/${hers}`, undefined, headers),
        await asMember(
          target,
          mallory,
          'PATCH',
          `/api/dashboard/members/${hers}`,
          { isActive: false },
          headers,
        ),
        await asMember(target, mallory, 'POST', `/api/dashboard/members/${hers}/reset-link`, {}, headers),
      ];
      return allRefused(answers, 403, 404);
    },
  },
  {
    name: 'setup link used twice',
    tries: 'made-up set-up, invitation and reset links',
    async run({ stranger }) {
      const tokens = ['A'.repeat(43), '', '../..', 'A'.repeat(10_000)];
      const answers = tokens.map((token) =>
        stranger({
          method: 'POST',
          path: '/api/dashboard/links/use',
          body: { token, email: 'm@a.example', name: 'M', password: 'a long enough password' },
        }),
      );
      return allRefused(await Promise.all(answers), 400, 404, 410);
    },
  },
  {
    name: 'whose address is known here',
    tries: 'sign-in tells a known address from an unknown one',
    async run(target) {
      const { alice } = target;
      const known = await signIn(target, alice.owner.email, 'wrong password, surely', '127.9.0.1');
      const unknown = await signIn(target, 'nobody@a.example', 'wrong password, surely', '127.9.0.2');
      const isSame =
        known.status === unknown.status && known.body.error.message === unknown.body.error.message;
      return held(isSame, `both ${known.status} ${known.body.error.code}`);
    },
  },
  {
    name: 'owner locked out',
    tries: 'a stranger fails to sign in as the owner thirty times; then the owner signs in',
    async run(target) {
      const { email, password } = target.mallory.owner;
      for (let i = 0; i < 30; i++)
        refused(await signIn(target, email, `wrong password ${i}`, '127.9.3.1'), 401, 429);
      const { status } = await signIn(target, email, password, '127.9.3.2');
      return held(status === 200, 'the owner is let in');
    },
  },
  {
    name: 'checkouts without end',
    tries: 'a stranger starts thirty checkouts of one link',
    async run({ alice, stranger }) {
      const { publicToken } = await newLink(alice);
      const path = `/api/v2/payment-links/${publicToken}/checkout`;
      const answers = [];
      for (let i = 0; i < 30; i++)
        answers.push(await stranger({ method: 'POST', path, body: {}, from: '127.9.1.1' }));
      const made = answers.filter(({ status }) => status < 300).length;
      const limited = answers.filter(({ status }) => status === 429).length;
      return held(made <= 20 && limited >= 10, `${made} made, ${limited} × 429`);
    },
  },
  {
    name: 'link at one’s own price',
    tries: 'a checkout of a public link with amount, price and success address of one’s own',
    async run({ alice, stranger }) {
      const { publicToken } = await newLink(alice);
      const path = `/api/v2/payment-links/${publicToken}/checkout`;
      const bodies = [
        { amountCents: 1 },
        { unitAmountCents: 1 },
        { priceId: NO_ONE },
        { successUrl: 'https://evil.example' },
        { customerId: NO_ONE },
      ];
      const answers = bodies.map((body) => stranger({ method: 'POST', path, body, from: '127.9.1.2' }));
      return allRefused(await Promise.all(answers), 400);
    },
  },
  {
    name: 'invitation of somebody else’s people',
    tries: 'Mallory invites an address first; then Alice invites the same person',
    async run(target) {
      const { alice, mallory } = target;
      const invite = (party: Party, email: string) => {
        const headers = { 'x-csrf-token': party.owner.csrfToken };
        return asMember(
          target,
          party,
          'POST',
          '/api/dashboard/invitations',
          { email, role: 'viewer' },
          headers,
        );
      };
      const email = `${randomUUID()}@shop.example`;
      expected(await invite(mallory, email), 201);
      const { status } = await invite(alice, email);
      return held(status === 201, 'Alice may invite them too');
    },
  },
  {
    name: 'wrong keys lock nobody out',
    tries: 'forty wrong keys from an address, then the right one from the same',
    async run({ alice, stranger }) {
      const path = '/api/b2b/merchants/me';
      const from = '127.9.2.1';
      for (let i = 0; i < 40; i++)
        refused(await stranger({ path, headers: { authorization: `Bearer fl_dev_${i}` }, from }), 401, 429);
      const { status } = await stranger({ path, headers: { authorization: `Bearer ${alice.apiKey}` }, from });
      return held(status === 200, 'the right key is let in');
    },
  },
  {
    name: 'numbers through a proxy',
    tries: '/metrics as if a proxy of this machine had asked',
    async run({ stranger }) {
      const ways = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];
      const answers = ways.map((header) =>
        stranger({ path: '/metrics', headers: { [header]: '127.0.0.1' }, from: '127.0.0.1' }),
      );
      return allRefused(await Promise.all(answers), 403);
    },
  },
  {
    name: 'pages that follow without end',
    tries: 'a hundred streams of one address, where thirty are allowed; then somebody else opens a page',
    async run(target) {
      const { id } = await newIntent(target.alice);
      const { opened, close } = await openStreams(target.url, `/intents/${id}/live`, 100, '127.9.4.1');
      const other = await openStreams(target.url, `/intents/${id}/live`, 1, '127.9.4.2');
      other.close();
      close();
      return held(opened <= 30 && other.opened === 1, `${opened} of 100 opened, and the other page too`);
    },
  },
  {
    name: 'code too long to scan',
    tries: 'a shop with a name of Chinese e-mails, as long as is allowed',
    async run({ alice, stranger }) {
      expected(await alice.call('PATCH', '/api/b2b/merchants/brand', { name: '茶'.repeat(80) }), 200, 204);
      const { id } = await newIntent(alice);
      const { status, text } = await stranger({ path: `/intents/${id}` });
      return held(status === 200 && text.includes('<svg'), 'the page has its code');
    },
  },
  {
    name: 'checkouts that burn numbers',
    tries: 'five checkouts by a stranger, each with an e-mail address, that nobody pays',
    async run({ alice, stranger }) {
      const { publicToken } = await newLink(alice, {}, { collectCustomerEmail: true });
      const customers = async () => (await alice.call('GET', '/api/v2/customers?limit=100')).body.data.length;
      const before = await customers();
      const path = `/api/v2/payment-links/${publicToken}/checkout`;
      for (let i = 0; i < 5; i++) {
        const body = { customerEmail: `nobody${i}@a.example` };
        expected(await stranger({ method: 'POST', path, body, from: '127.9.5.1' }), 200, 201);
      }
      return held((await customers()) === before, 'no customer was made of them');
    },
  },
];
