import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { cleanUp } from '../support/clean-up.ts';
import { type OddNode, startOddNode } from '../support/odd-node.ts';
import { newIntent, payIntent } from '../support/payments.ts';
import { florin, startFlorin, temporaryFolder } from '../support/process.ts';
import { createWallet } from '../support/wallet.ts';

/** More than are compared at once. */
const SHOPS = 20;

let t: TestChain;
let node: OddNode;
let env: Record<string, string>;
let folder: string;
let file: string;

beforeAll(async () => {
  t = await testChain();
  node = await startOddNode(t.chain.rpcUrl);
  for (let i = 0; i < SHOPS; i++) {
    const { address } = await createWallet(t.chain, { lamports: 0n });
    const shop = await t.service.createMerchant(`Shop ${i}`, address);
    await payIntent(t, await newIntent(shop), { destinationOwner: address });
  }
  await t.finalize();
  await t.service.db.query('update incoming_transfers set received_base_units = 7');
  // The command makes its own, with its own key.
  await t.service.db.query('delete from installation');
  const [database] = await t.service.db.query<{ name: string }>('select current_database() as name');
  const { host, user } = connectionIn(inject('dataFolder'));
  folder = await temporaryFolder(cleanUp);
  env = {
    // Sockets have short paths: this one leads through the folder that the test holds open.
    DATABASE_URL: `postgres:///${database!.name}?host=${host!.replace('self', String(process.pid))}&user=${user}`,
    FLORIN_DATA: folder,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
  };
});

beforeEach(() => {
  node.alter = undefined;
  node.asked.length = 0;
  file = join(folder, `${randomUUID()}.progress`);
});

const args = (...more: string[]) => ['reconcile', '--rpc-url', node.url, '--json', ...more];

const accountsListed = () =>
  new Set(
    node.asked.filter(({ method }) => method === 'getSignaturesForAddress').map(({ params }) => params[0]),
  ).size;

/** Ends the command with a signal once the first of the accounts are compared, and answers nothing more. */
async function endHalfWay(signal: NodeJS.Signals) {
  node.asked.length = 0;
  const { child, ended } = startFlorin(args('--progress', file), env);
  node.alter = () => {
    if (accountsListed() < SHOPS - 2) return undefined;
    child.kill(signal);
    return 503;
  };
  const result = await ended;
  node.alter = undefined;
  node.asked.length = 0;
  return result;
}

async function goOn() {
  const { code, stdout, stderr } = await florin(args('--progress', file), env);
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) };
}

const told = (file: string) => readFile(file, 'utf8').catch(() => undefined);

test('a run that is killed continues where it was, with what was found before; the one after it compares everything again', async () => {
  const { stdout } = await florin(args(), env);
  const whole = JSON.parse(stdout);
  expect(whole.differences).toHaveLength(SHOPS);
  await endHalfWay('SIGKILL');
  // The machine stopped while a line was written.
  await appendFile(file, '{"of":"0 half a l');
  const { code, report } = await goOn();
  expect(accountsListed()).toBeLessThan(SHOPS);
  expect([code, report]).toEqual([1, whole]);
  expect(await told(file)).toBeUndefined();
  node.asked.length = 0;
  expect((await goOn()).report).toEqual(whole);
  expect(accountsListed()).toBe(SHOPS);
});

test('Ctrl-C ends a run with what was compared; the next one compares the rest', async () => {
  const { code, stdout } = await endHalfWay('SIGINT');
  const part = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(part.left).toBeGreaterThan(0);
  expect(part.differences.length).toBeGreaterThan(0);
  const { report } = await goOn();
  expect(accountsListed()).toBeLessThan(SHOPS);
  expect([report.left, report.differences.length]).toEqual([0, SHOPS]);
});

test('a file of another run, or that is none, is refused and left as it is', async () => {
  await endHalfWay('SIGKILL');
  const before = await told(file);
  const other = await florin(args('--progress', file, '--every-transaction'), env);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('of a run with other settings')]);
  expect(await told(file)).toBe(before);
  await writeFile(file, 'my notes');
  expect((await florin(args('--progress', file), env)).code).toBe(1);
  expect(await told(file)).toBe('my notes');
});

test('each node is compared on its own, and both at once', async () => {
  const urls = [t.chain.rpcUrl, node.url];
  const { code, stdout } = await florin(['reconcile', '--json'], { ...env, SOLANA_RPC_URLS: urls.join(',') });
  const report = JSON.parse(stdout);
  expect([code, report.accounts, report.transactions]).toEqual([1, SHOPS, 2 * SHOPS]);
  const of = (url: string) =>
    report.differences
      .filter((difference: { node: string }) => difference.node === new URL(url).host)
      .map(({ signature }: { signature: string }) => signature);
  expect(of(urls[0]!)).toHaveLength(SHOPS);
  expect(of(urls[1]!)).toEqual(of(urls[0]!));
});

test('a date that is none is refused', async () => {
  const refused = await florin(args('--since', 'yesterday'), env);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('2026-01-31')]);
  const { stdout } = await florin(args('--since', '2099-01-01'), env);
  expect(JSON.parse(stdout)).toMatchObject({ transactions: 0, differences: [] });
});
