import { setTimeout as sleep } from 'node:timers/promises';
import { AccountRole, address, type Instruction } from '@solana/kit';
import { expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type NewIntent, newIntent, payIntent, readIntent, sendFrom } from '../support/payments.ts';
import type { TestMerchant } from '../support/service.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import { watchChain } from '../support/watch.ts';

const CALLS_PER_SECOND = 50;
/** Reading them alone takes the watcher many seconds. */
const MENTIONS = 500;

/** A transaction that only pays its fee and names the merchant's token account. */
function mention(t: TestChain): Promise<string> {
  const self: Instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: t.customer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: t.customer.address, role: AccountRole.WRITABLE },
      { address: t.merchant.usdcAccount, role: AccountRole.READONLY },
    ],
    data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
  return sendFrom(t, self);
}

interface Street {
  t: TestChain;
  neighbour: Wallet;
  shop: TestMerchant;
  intent: NewIntent;
  /** Transactions that are known of the flooded account. */
  known(): Promise<{ all: number; final: number }>;
}

/** A merchant whose account a stranger floods, a neighbour whose customer is about to pay, and a watcher. */
async function openStreet(): Promise<Street> {
  const t = await testChain();
  const neighbour = await createWallet(t.chain);
  const shop = await t.service.createMerchant('Neighbour', neighbour.address);
  await newIntent(t.shop);
  const intent = await newIntent(shop);
  await t.finalize();
  for (let i = 0; i < MENTIONS; i++) await mention(t);
  return {
    t,
    neighbour,
    shop,
    intent,
    async known() {
      const [row] = await t.service.db.query<{ all: number; final: number }>(
        `select count(*)::integer as all, count(*) filter (where is_final)::integer as final
           from incoming_transfers where destination = $1`,
        [t.merchant.address],
      );
      return row!;
    },
  };
}

async function watch({ t }: Street): Promise<void> {
  const config = { SOLANA_MAX_CALLS_PER_SECOND: CALLS_PER_SECOND };
  await watchChain(t, { urls: [t.chain.rpcUrl], config });
}

const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await sleep(10);
};

/** Pays the neighbour and waits for the event. */
async function payNeighbour({ t, neighbour, shop, intent }: Street): Promise<void> {
  await payIntent(t, intent, { destinationOwner: neighbour.address });
  t.chain.advanceSlots(40);
  await until(async () => (await readIntent(shop, intent)).status === 'succeeded');
}

test('a payment to a neighbour is detected while the watcher still reads a flooded account', async () => {
  const street = await openStreet();
  street.t.chain.advanceSlots(40);
  await watch(street);
  await until(async () => (await street.known()).all > 0);
  await payNeighbour(street);
  expect((await street.known()).all).toBeLessThan(MENTIONS);
});

test('a payment next door becomes final while a flood of mentions waits to', async () => {
  const street = await openStreet();
  street.t.chain.advanceSlots(3);
  await street.t.look();
  expect(await street.known()).toEqual({ all: MENTIONS, final: 0 });
  street.t.chain.advanceSlots(40);
  await watch(street);
  await until(async () => (await street.known()).final > 0);
  await payNeighbour(street);
  expect((await street.known()).final).toBeLessThan(MENTIONS);
});

test('a payment amid a flood of its own account is detected before all of it is read', async () => {
  const street = await openStreet();
  street.t.chain.advanceSlots(40);
  await watch(street);
  await until(async () => (await street.known()).all > 0);
  const own = await newIntent(street.t.shop);
  await payIntent(street.t, own);
  street.t.chain.advanceSlots(40);
  await until(async () => (await readIntent(street.t.shop, own)).status === 'succeeded');
  expect((await street.known()).all).toBeLessThan(MENTIONS);
});
