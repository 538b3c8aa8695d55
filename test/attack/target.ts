import { randomUUID } from 'node:crypto';
import { type SandboxChain, startSandboxChain } from '@florin/sandbox-chain';
import { type Address, address } from '@solana/kit';
import { florin, startProcess, temporaryFolder } from '../support/process.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';
import { type Answer, type CallOptions, send } from './call.ts';

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** A merchant with a key, an owner at the dashboard, and a wallet. */
export interface Party {
  id: string;
  apiKey: string;
  wallet: Wallet;
  /** Call with a key that has all scopes. */
  call: Call;
  /** Returns a call with a key that has only these scopes. */
  callWith(scopes: readonly string[]): Promise<Call>;
  owner: { email: string; password: string; cookie: string; csrfToken: string };
  projectId: string;
}

/** The service under attack, in a process of its own, and everybody around it. */
export interface Target {
  url: string;
  chain: SandboxChain;
  alice: Party;
  mallory: Party;
  /** Buys at Alice's shop. */
  customer: Wallet;
  /** Somebody without a key, from an address of their own. */
  stranger(options: CallOptions): Promise<Answer>;
  /** Ends enough slots for everything to be final. */
  finalize(): void;
  /** Every answer with a status of 500 or more since this was asked last. */
  takeFailures(): string[];
  output(): string;
}

/** Starts a target without slots that end automatically: an attack decides itself what is final when. */
export async function startTarget(onDone: (clean: () => Promise<unknown>) => void): Promise<Target> {
  const folder = await temporaryFolder(onDone);
  const chain = await startSandboxChain({ slotMs: 0, now: () => new Date() });
  onDone(() => chain.stop());
  chain.advanceSlots(40);
  const env = {
    FLORIN_DATA: folder,
    SOLANA_RPC_URLS: chain.rpcUrl,
    WATCH_POLL_MS: '100',
    WATCH_FINALITY_MS: '50',
    LOG_LEVEL: 'warn',
    // Settings as strict as in production: no sandbox loosens the rules.
    WEBHOOK_ALLOW_PRIVATE: 'false',
    WEBHOOK_ALLOW_HTTP: 'false',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '20',
    RATE_LIMIT_CHECKOUT_PER_MINUTE: '20',
    LIVE_STREAMS_PER_ADDRESS: '30',
  };
  const service = await startProcess(env);
  onDone(() => service.end('SIGTERM'));
  const { url } = service;
  const failures: string[] = [];
  const noting = async (options: CallOptions) => {
    const answer = await send(url, options);
    if (answer.status >= 500)
      failures.push(`${options.method ?? 'GET'} ${options.path.slice(0, 80)}: ${answer.text}`);
    return answer;
  };
  const [alice, mallory] = [
    await createParty(noting, chain, env, 'Alice'),
    await createParty(noting, chain, env, 'Mallory'),
  ];
  return {
    url,
    chain,
    alice,
    mallory,
    customer: await createWallet(chain, { usdcBaseUnits: 10n ** 12n }),
    stranger: (options) => noting({ from: '127.6.6.6', ...options }),
    finalize: () => chain.advanceSlots(40),
    takeFailures: () => failures.splice(0),
    output: service.output,
  };
}

type Sender = (options: CallOptions) => Promise<Answer>;

async function createParty(
  sender: Sender,
  chain: SandboxChain,
  env: Record<string, string>,
  name: string,
): Promise<Party> {
  const wallet = await createWallet(chain);
  const args = ['merchants', 'create', '--name', name, '--payout-address', wallet.address, '--json'];
  const { stdout, stderr } = await florin(args, env);
  if (!stdout.startsWith('{')) throw new Error(`no merchant could be made: ${stderr}`);
  const { merchantId, apiKey, setupUrl } = JSON.parse(stdout);
  const callAs = (key: string): Call => {
    return (method, path, body, headers) =>
      sender({ method, path, body, headers: { authorization: `Bearer ${key}`, ...headers } });
  };
  const call = callAs(apiKey);
  const { body: project } = await call('POST', '/api/v2/projects', { name: `${name}'s` });
  return {
    id: merchantId,
    apiKey,
    wallet,
    call,
    async callWith(scopes) {
      const { body } = await call('POST', '/api/b2b/merchants/generate-key', {
        scopes,
        revokeExisting: false,
      });
      return callAs(body.apiKey);
    },
    owner: await setUpOwner(sender, setupUrl),
    projectId: project.id,
  };
}

async function setUpOwner(sender: Sender, setupUrl: string): Promise<Party['owner']> {
  const email = `${randomUUID()}@shop.example`;
  const password = 'correct horse battery staple';
  const answer = await sender({
    method: 'POST',
    path: '/api/dashboard/links/use',
    body: { token: setupUrl.split('/').pop(), email, name: 'Olive', password },
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  return { email, password, cookie, csrfToken: answer.body.csrfToken };
}

let orders = 0;

/** A requested payment, of a dollar by default. */
export async function newIntent(
  { call }: Party,
  more: object = {},
): Promise<{ id: string; reference: Address }> {
  const { body } = await call('POST', '/api/merchants/intents', {
    amountCents: 100,
    orderId: `order-${orders++}`,
    ...more,
  });
  return { id: body.id, reference: address(body.referenceAddress) };
}

/** Waits until the service has detected it. */
export async function until<Value>(
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  for (let tries = 0; ; tries++) {
    const value = await read();
    if (isSo(value) || tries >= MAX_TRIES) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A minute: only an attack that succeeds waits for so long. */
const MAX_TRIES = 1_200;
