import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OddForm } from '@florin/sandbox-chain';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { USDC_MINTS } from '../src/chain/solana/network.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { forgetLoopDelay, type LoopDelay, loopEnv, readLoopDelay } from './loop-delays.ts';
import type { Running } from './processes.ts';
import { type Round, spreadOf } from './rounds.ts';
import { sendSpam } from './spam.ts';
import { openWatchedShop } from './watched-shop.ts';
import { withWorkshop } from './workshop.ts';

/** Each of them told as heavily as one transaction can be. */
const TRANSACTIONS = 200;
const MERCHANTS = 4;
const ALLOWED_MS = 50;
/** 63 calls of ten kilobytes each, and a megabyte of logs. */
const FORMS: OddForm[] = ['longInstructions', 'longText'];

/**
 * Measures the longest processor time of the event loop without a turn while the watcher reads the heaviest
 * transactions that anybody can pay for, two hundred of them in each round, against the 50 ms allowed. A process that
 * does nothing is watched in the same way and in the same seconds: what it suffers, the machine did.
 */
export function worstAnswers({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const chain = await shop.startYardstick('chain.ts', { name: 'chain', env: { SLOT_MS: '100' } });
    const watched = await openWatchedShop(shop, {
      data,
      name: 'service',
      merchants: MERCHANTS,
      chain,
      profileFolder,
      env: { ...loopEnv(shop, 'service'), SOLANA_MAX_CALLS_PER_SECOND: '1000' },
    });
    const idle = await shop.startYardstick('idle-loop.ts', { name: 'idle', env: loopEnv(shop, 'idle') });
    const { payoutAddress } = watched.merchants[0]!;
    const account = await associatedAccount(payoutAddress, USDC_MINTS.sandbox);
    const countRead = async () => {
      const sql = 'select count(*)::int as count from incoming_transfers where destination = $1';
      return (await watched.db.query(sql, [payoutAddress])).rows[0].count as number;
    };

    const measured: Round[] = [];
    const extra: { service: LoopDelay; idle: LoopDelay }[] = [];
    for (let i = 0; i < rounds; i++) {
      const form = FORMS[i % FORMS.length]!;
      await setOdd(chain, form);
      const goal = (await countRead()) + TRANSACTIONS;
      await Promise.all([forgetLoopDelay(watched.service), forgetLoopDelay(idle)]);
      await sendSpam(chain.url, account, TRANSACTIONS);
      while ((await countRead()) < goal) await sleep(100);
      await sleep(1_000);
      const delays = {
        service: await readLoopDelay(shop, 'service'),
        idle: await readLoopDelay(shop, 'idle'),
      };
      extra.push(delays);
      const ours = delays.service.cpuMs;
      measured.push({ of: form, ours, yardstick: ALLOWED_MS, ratio: ALLOWED_MS / ours });
      const { service, idle: other } = delays;
      say(
        `${form}: held up ${ours.toFixed(0)} ms at most, by the clock ${service.maxMs.toFixed(0)} ms; an idle process ` +
          `${other.cpuMs.toFixed(0)} and ${other.maxMs.toFixed(0)} ms`,
      );
    }
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'ms of a processor',
      rounds: measured,
      extra: { delays: extra },
    };
  });
}

/** Only of transactions: a list of a thousand, each with a megabyte, no node would answer. */
async function setOdd(chain: Running, form: OddForm): Promise<void> {
  const rule = { kind: 'odd', form, methods: ['getTransaction'] };
  const body = { jsonrpc: '2.0', id: 1, method: 'sandbox_setFaults', params: [{ rules: [rule] }] };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { error?: { message: string } };
  if (answer.error) throw new Error(answer.error.message);
}
