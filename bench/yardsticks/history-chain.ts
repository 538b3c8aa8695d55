import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOKEN_PROGRAM } from '../../src/chain/solana/network.ts';
import { numberIn, type PastTransaction, pastTransaction, SECONDS_EACH, slotOf } from '../long-history.ts';

/** A node with a long history of a few accounts, which is calculated when it is asked. */
interface PastAccount {
  owner: string;
  account: string;
}

const accounts: PastAccount[] = JSON.parse(await readFile(process.env.ACCOUNTS!, 'utf8'));
const each = Number(process.env.EACH);
const mint = process.env.MINT!;
const numbers = new Map(accounts.map(({ account }, i) => [account, i]));
const FIRST_SECOND = Date.UTC(2025, 0, 1) / 1000;
const SPARE_SLOTS = 100;

const timeOf = (n: number) => FIRST_SECOND + n * SECONDS_EACH;
const calls = new Map<string, number>();

// biome-ignore lint/suspicious/noExplicitAny: each method has parameters of its own
const methods: Record<string, (params: any[]) => unknown> = {
  getSlot: () => slotOf(each) + SPARE_SLOTS,
  getFirstAvailableBlock: () => 0,
  getBlockTime: () => timeOf(each),
  getMultipleAccounts: ([asked]) => ({
    context: { slot: slotOf(each) + SPARE_SLOTS },
    value: asked.map((account: string) => {
      const data = Buffer.alloc(165);
      data.writeBigUInt64LE(BigInt(pastTransaction(numbers.get(account)!, each - 1).after), 64);
      return { data: [data.toString('base64'), 'base64'] };
    }),
  }),
  getSignaturesForAddress([account, { before, limit }]) {
    const page: object[] = [];
    const newest = before === undefined ? each - 1 : numberIn(before) - 1;
    for (let n = newest; n >= 0 && page.length < limit; n--) {
      const { signature, slot } = pastTransaction(numbers.get(account)!, n);
      page.push({
        signature,
        slot,
        blockTime: timeOf(n),
        err: null,
        memo: null,
        confirmationStatus: 'finalized',
      });
    }
    return page;
  },
  getTransaction([signature]) {
    const n = numberIn(signature);
    const number = accounts.findIndex((_, i) => pastTransaction(i, n).signature === signature);
    return shown(accounts[number]!, pastTransaction(number, n), timeOf(n));
  },
  bench_calls: () => Object.fromEntries(calls),
};

function shown({ owner, account }: PastAccount, past: PastTransaction, blockTime: number) {
  const balance = (amount: number) => [
    {
      accountIndex: 1,
      mint,
      owner,
      programId: TOKEN_PROGRAM,
      uiTokenAmount: { amount: String(amount), decimals: 6 },
    },
  ];
  return {
    slot: past.slot,
    blockTime,
    meta: {
      err: null,
      preTokenBalances: balance(past.before),
      postTokenBalances: balance(past.after),
      innerInstructions: [],
    },
    transaction: {
      signatures: [past.signature],
      message: { accountKeys: [owner, account, TOKEN_PROGRAM], instructions: [] },
    },
  };
}

const server = createServer(async (incoming, response) => {
  const { method, params = [] } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
  if (!method.startsWith('bench_')) calls.set(method, (calls.get(method) ?? 0) + 1);
  const result = methods[method]!(params);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
});

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
