import { setTimeout as sleep } from 'node:timers/promises';
import { startSandboxChain } from '@florin/sandbox-chain';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { startSwallowingProxy } from '../../../test/support/swallowing-proxy.ts';
import { createWallet } from '../../../test/support/wallet.ts';
import { subscribeToAccounts } from './notifications.ts';

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(5);
};

test('accounts are listened to over several connections; what is lost is heard again, and its gap reported', async () => {
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  const wallets = await Promise.all(Array.from({ length: 5 }, () => createWallet(chain)));
  const accounts = wallets.map(({ usdcAccount }) => usdcAccount as string);
  const heard: string[] = [];
  const gaps: string[][] = [];
  const notifications = subscribeToAccounts({
    url: chain.wsUrl,
    maxPerSocket: 2,
    onMention: (account) => heard.push(account),
    onGap: (lost) => gaps.push([...lost]),
  });
  cleanUp(async () => notifications.close());
  notifications.addAccounts(accounts.slice(0, 1));
  notifications.listenTo(accounts);
  expect(notifications.countUnheard()).toBe(5);
  await until(() => notifications.countUnheard() === 0);
  const payTo = async (i: number) => {
    await chain.mintTo(wallets[i]!.address, 1n);
    chain.advanceSlots(3);
  };
  for (let i = 0; i < 5; i++) await payTo(i);
  await until(() => new Set(heard).size === 5);

  // The connection that this notification would take is cut; it carries two accounts.
  chain.faults.set({ rules: [{ kind: 'dropWebSocket', methods: ['logsNotification'], times: 1 }] });
  await payTo(0);
  await until(() => gaps.length === 1);
  expect(gaps[0]).toEqual(accounts.slice(0, 2));
  await until(() => notifications.countUnheard() === 0);
  notifications.listenTo(accounts.slice(0, 4));
  heard.length = 0;
  await payTo(4);
  await payTo(0);
  await until(() => heard.length > 0);
  expect(new Set(heard)).toEqual(new Set([accounts[0]]));
});

test('the transaction is named; a connection that is doubted is replaced, and the gap reported', async () => {
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  const { usdcAccount, address } = await createWallet(chain);
  const heard: [string, string | undefined][] = [];
  const gaps: string[][] = [];
  const notifications = subscribeToAccounts({
    url: chain.wsUrl,
    maxPerSocket: 2,
    onMention: (account, signature) => heard.push([account, signature]),
    onGap: (lost) => gaps.push([...lost]),
  });
  cleanUp(async () => notifications.close());
  notifications.listenTo([usdcAccount]);
  const pay = async () => {
    const signature = await chain.mintTo(address, 1n);
    chain.advanceSlots(3);
    return signature;
  };
  await until(() => notifications.countUnheard() === 0);
  const first = await pay();
  await until(() => heard.length === 1);
  expect(heard).toEqual([[usdcAccount, first]]);
  notifications.doubt('unknown');
  notifications.doubt(usdcAccount);
  expect(notifications.countUnheard()).toBe(1);
  await until(() => gaps.length === 1 && notifications.countUnheard() === 0);
  expect(gaps).toEqual([[usdcAccount]]);
  const second = await pay();
  await until(() => heard.length === 2);
  expect(heard[1]).toEqual([usdcAccount, second]);
});

test('a connection that stays open and carries nothing any more is replaced, and the gap reported', async () => {
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  cleanUp(() => chain.stop());
  const { port, pathname } = new URL(chain.wsUrl);
  const proxy = await startSwallowingProxy({ port: Number(port), host: '127.0.0.1' });
  const { usdcAccount, address } = await createWallet(chain);
  const heard: string[] = [];
  const gaps: string[][] = [];
  const notifications = subscribeToAccounts({
    url: `ws://127.0.0.1:${proxy.port}${pathname}`,
    maxPerSocket: 2,
    pingMs: 100,
    onMention: (account) => heard.push(account),
    onGap: (lost) => gaps.push([...lost]),
  });
  cleanUp(async () => notifications.close());
  notifications.listenTo([usdcAccount]);
  await until(() => notifications.countUnheard() === 0);
  proxy.swallow();
  await until(() => gaps.length === 1);
  expect(gaps[0]).toEqual([usdcAccount]);
  await until(() => notifications.countUnheard() === 0);
  await chain.mintTo(address, 1n);
  chain.advanceSlots(3);
  await until(() => heard.length > 0);
});
