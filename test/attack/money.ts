import { randomUUID } from 'node:crypto';
import { pay, usdcMint } from '../support/wallet.ts';
import { type Attack, allRefused, expected, held } from './attack.ts';
import { newIntent, type Party, type Target, until } from './target.ts';

const MAX = 9_223_372_036_854_775_807n;
const RACERS = 20;
const racing = <Value>(run: (i: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: RACERS }, (_, i) => run(i)));

async function newCustomer({ call, projectId }: Party): Promise<string> {
  // A call costs a credit.
  const settings = { usageCredits: { calls: 1 } };
  expected(await call('PATCH', `/api/v2/projects/${projectId}`, { settings }), 200);
  return expected(await call('POST', '/api/v2/customers', { projectId }), 200, 201).body.id;
}

const adjust = ({ call }: Party, customerId: string, body: object) =>
  call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, { reason: 'attack', ...body });

/** Amounts at the edge, races, and money counted twice. */
export const moneyAttacks: readonly Attack[] = [
  {
    name: 'amounts that are none',
    tries: 'nothing, less than nothing, halves, text, past int64, past every number',
    async run({ alice }) {
      const amounts = [
        '0',
        '-1',
        '1.5',
        '"100"',
        'null',
        'true',
        '[1]',
        '9223372036854775808',
        '1e30',
        '9007199254740993.5',
        '-0',
        '1e-1',
      ];
      const answers = amounts.map((amount) =>
        alice.call('POST', '/api/merchants/intents', `{"amountCents":${amount},"orderId":"a"}`),
      );
      return allRefused(await Promise.all(answers), 400);
    },
  },
  {
    name: 'top-ups past int64',
    tries: 'the largest top-up three times, then usage of it',
    async run({ alice }) {
      const customerId = await newCustomer(alice);
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(await adjust(alice, customerId, { deltaCredits: MAX }));
      const usage = { projectId: alice.projectId, customerId, metric: 'calls', quantity: MAX };
      for (let i = 0; i < 3; i++)
        answers.push(await alice.call('POST', '/api/v2/usage', { ...usage, idempotencyKey: randomUUID() }));
      answers.push(await alice.call('GET', `/api/v2/customers/${customerId}`));
      const statuses = answers.map(({ status }) => status);
      return held(
        statuses.every((status) => status < 500),
        `answered ${[...new Set(statuses)].join(', ')}`,
      );
    },
  },
  {
    name: 'usage that gives back',
    tries: 'a negative quantity, none, and half of one',
    async run({ alice }) {
      const customerId = await newCustomer(alice);
      const record = (quantity: string) =>
        alice.call(
          'POST',
          '/api/v2/usage',
          `{"projectId":"${alice.projectId}","customerId":"${customerId}","metric":"a","quantity":${quantity},"idempotencyKey":"${randomUUID()}"}`,
        );
      return allRefused(await Promise.all(['-5', '0', '0.5', '"5"'].map(record)), 400);
    },
  },
  {
    name: 'usage counted twice',
    tries: `${RACERS} records with the same key at once`,
    async run({ alice }) {
      const customerId = await newCustomer(alice);
      expected(await adjust(alice, customerId, { deltaCredits: 100 }), 200, 201);
      const body = {
        projectId: alice.projectId,
        customerId,
        metric: 'calls',
        quantity: 10,
        idempotencyKey: randomUUID(),
      };
      await racing(() => alice.call('POST', '/api/v2/usage', body));
      const { body: customer } = await alice.call('GET', `/api/v2/customers/${customerId}`);
      const credits = customer.creditBalance;
      return held(credits === 90, `${credits} of 100 credits are left`);
    },
  },
  {
    name: 'credits spent twice',
    tries: `${RACERS} records at once, each for all the credits there are`,
    async run({ alice }) {
      const customerId = await newCustomer(alice);
      expected(await adjust(alice, customerId, { deltaCredits: 10 }), 200, 201);
      const usage = { projectId: alice.projectId, customerId, metric: 'calls', quantity: 10 };
      const answers = await racing(() =>
        alice.call('POST', '/api/v2/usage', { ...usage, idempotencyKey: randomUUID() }),
      );
      const { body: customer } = await alice.call('GET', `/api/v2/customers/${customerId}`);
      const credits = customer.creditBalance;
      const took = answers.filter(({ status }) => status < 300).length;
      return held(took === 1 && credits === 0, `${took} of ${RACERS} taken, ${credits} credits left`);
    },
  },
  {
    name: 'twenty at one till',
    tries: `${RACERS} intents at once on one terminal`,
    async run({ alice }) {
      const { body: terminal } = await alice.call('POST', '/api/b2b/merchants/terminals', { name: 'race' });
      const answers = await racing((i) =>
        alice.call('POST', '/api/merchants/intents', {
          amountCents: 100 + i,
          orderId: `race-${i}`,
          terminalId: terminal.id,
        }),
      );
      const ids = answers.filter(({ status }) => status < 300).map(({ body }) => body.id as string);
      const found = await Promise.all(ids.map((id) => alice.call('GET', `/api/merchants/intents/${id}`)));
      const open = found.filter(({ body }) => body.status === 'pending').length;
      return held(open === 1, `${ids.length} made, one is open`);
    },
  },
  {
    name: 'one idempotency key, twenty at once',
    tries: `${RACERS} creates with the same key`,
    async run({ alice }) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { amountCents: 100, orderId: randomUUID() };
      const answers = await racing(() => alice.call('POST', '/api/merchants/intents', body, headers));
      const ids = new Set(answers.filter(({ status }) => status < 300).map((answer) => answer.body.id));
      const others = answers.filter(({ status }) => status >= 300 && status !== 409);
      return held(ids.size === 1 && others.length === 0, 'one intent');
    },
  },
  {
    name: 'volume limit outrun',
    tries: `${RACERS} checkouts at once in a project with room for one`,
    async run({ alice }) {
      const limited = { name: 'limited', monthlyVolumeLimitCents: 1_000 };
      const { body: project } = await alice.call('POST', '/api/v2/projects', limited);
      const answers = await racing(() =>
        alice.call('POST', '/api/v2/checkout-sessions', {
          projectId: project.id,
          mode: 'one_time',
          amountCents: 1_000,
        }),
      );
      const made = answers.filter(({ status }) => status < 300).length;
      return held(made === 1, `${made} of ${RACERS} made`);
    },
  },
  {
    name: 'one exception for twenty intents',
    tries: `money without a reference linked to ${RACERS} intents at once`,
    async run(target) {
      const { alice, customer, chain } = target;
      await newIntent(alice);
      await pay({
        rpcUrl: chain.rpcUrl,
        from: customer.signer,
        destinationOwner: alice.wallet.address,
        amountBaseUnits: 3_330_000n,
      });
      target.finalize();
      const list = () => alice.call('GET', '/api/v2/exceptions?limit=100');
      const isIt = (row: { amountBaseUnits: string }) => row.amountBaseUnits === '3330000';
      const { body } = await until(list, (answer) => answer.body.data.some(isIt));
      const exception = body.data.find(isIt);
      const intents = await racing(() => newIntent(alice, { amountCents: 333 }));
      await racing((i) =>
        alice.call('POST', `/api/v2/exceptions/${exception.id}/link`, { paymentIntentId: intents[i]!.id }),
      );
      return held((await countPaid(target, intents)) === 1, 'one of them is paid');
    },
  },
  {
    name: 'prices of less than nothing',
    tries: 'a price of zero, a negative one, and one past int64',
    async run({ alice }) {
      const { projectId } = alice;
      const { body: product } = await alice.call('POST', '/api/v2/products', { projectId, name: 'Tea' });
      const answers = ['0', '-1', '9223372036854775808', '1.5'].map((cents) =>
        alice.call(
          'POST',
          '/api/v2/prices',
          `{"projectId":"${projectId}","productId":"${product.id}","billingMode":"one_time","unitAmountCents":${cents}}`,
        ),
      );
      return allRefused(await Promise.all(answers), 400);
    },
  },
  {
    name: 'payout to another merchant’s wallet',
    tries: 'Mallory takes Alice’s payout address as his own, so that her money counts for him',
    async run({ alice, mallory }) {
      const payoutAddress = alice.wallet.address;
      const answers = [
        await mallory.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress }),
        await mallory.call('POST', '/api/v2/projects', { name: 'hers', payoutAddress }),
      ];
      return allRefused(answers, 409);
    },
  },
  {
    name: 'payout to what is no wallet',
    tries: 'a program, a mint, a token account and a sysvar as payout address',
    async run({ mallory }) {
      const addresses = [
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        '11111111111111111111111111111111',
        usdcMint,
        mallory.wallet.usdcAccount,
        'SysvarC1ock11111111111111111111111111111111',
      ];
      const answers = addresses.map((payoutAddress) =>
        mallory.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress }),
      );
      return allRefused(await Promise.all(answers), 400);
    },
  },
];

async function countPaid({ alice }: Target, intents: readonly { id: string }[]): Promise<number> {
  const found = await Promise.all(intents.map(({ id }) => alice.call('GET', `/api/merchants/intents/${id}`)));
  return found.filter(({ body }) => body.status === 'succeeded').length;
}
