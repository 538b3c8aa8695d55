import { setTimeout as sleep } from 'node:timers/promises';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { type LyingNode, startLyingNode } from './support/lying-node.ts';
import { florin, type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { createWallet, pay } from './support/wallet.ts';

/** The service as a process with two nodes, the second of which is not there. */
let chain: SandboxChain;
let nodes: LyingNode[];

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 10, now: () => new Date() });
  cleanUp(() => chain.stop());
  nodes = [await startLyingNode(chain.rpcUrl), await startLyingNode(chain.rpcUrl)];
});

const urls = () => nodes.map(({ url }) => url).join();

async function said(service: Running, words: string): Promise<number> {
  while (!service.output().includes(words)) await sleep(20);
  return service.output().split(words).length - 1;
}

test('one good node is enough to start: payments are detected, and the dead node is logged once, in metrics and in doctor', async () => {
  nodes[1]!.isDead = true;
  const FLORIN_DATA = await newDataFolder();
  const env = { FLORIN_DATA, SOLANA_RPC_URLS: urls(), WATCH_POLL_MS: '100', LOG_LEVEL: 'warn' };
  const service = await startProcess(env);
  cleanUp(() => service.end('SIGTERM'));
  const ask = async (method: string, path: string, body?: unknown) =>
    (await call(service.url + path, method, body, { authorization: `Bearer ${service.apiKey}` })).body;
  const { payoutAddress } = await ask('GET', '/api/b2b/merchants/me');
  const intent = await ask('POST', '/api/merchants/intents', { amountCents: 100, orderId: 'one' });
  const customer = await createWallet(chain, { usdcBaseUnits: 10n ** 9n });
  await pay({
    rpcUrl: chain.rpcUrl,
    from: customer.signer,
    destinationOwner: address(payoutAddress),
    amountBaseUnits: 1_000_000n,
    references: [address(intent.referenceAddress)],
  });
  const reaches = async (status: string) => {
    while ((await ask('GET', `/api/merchants/intents/${intent.id}`)).status !== status) await sleep(20);
  };
  await reaches('processing');
  expect(await said(service, 'no Solana node answers')).toBe(1);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  expect(await metrics()).toMatch(/^florin_rpc_calls_failed_total\{node="2"\} [1-9]/m);
  expect(await metrics()).toMatch(/^florin_rpc_invalid_answers_total\{node="1"\} 0$/m);
  expect(await metrics()).toMatch(/^florin_rpc_node_counting\{node="2"\} 1$/m);
  expect(await metrics()).toMatch(/^florin_rpc_disagreements_total\{node="1"\} 0$/m);
  const doctor = await florin(['doctor', '--json'], env);
  const found = (check: string) =>
    JSON.parse(doctor.stdout).findings.find((one: { check: string }) => one.check === check);
  expect(doctor.code).toBe(1);
  expect(found('solana node 1').ok).toBe(true);
  expect(found('solana node 2').ok).toBe(false);
  expect(found('solana agreement').ok).toBe(true);

  nodes[1]!.isDead = false;
  await said(service, 'Solana node checked; it counts toward the quorum');
  await reaches('succeeded');
  expect((await ask('GET', `/api/merchants/intents/${intent.id}`)).amountReceivedCents).toBe(100);
});

test('a node of another network ends the start, though the other one cannot be reached', async () => {
  nodes[0]!.isDead = true;
  nodes[1]!.repent();
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({
    FLORIN_DATA,
    FLORIN_NETWORK: 'devnet',
    SOLANA_RPC_URLS: urls(),
    LOG_LEVEL: 'warn',
  }).catch((error: Error) => error);
  const output = () => (service instanceof Error ? service.message : service.output());
  while (!output().includes('Florin cannot continue')) await sleep(20);
  expect(output()).toContain('SOLANA_RPC_URLS: node 2 is not on devnet');
});
