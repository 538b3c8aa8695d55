import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToPay } from './payer.ts';
import type { Running } from './processes.ts';
import { recordedPayments } from './recorded-payments.ts';
import { CENTS } from './watched-shop.ts';
import type { Workshop } from './workshop.ts';

export interface RecordedChain {
  running: Running;
  ask(method: string, ...params: unknown[]): Promise<number>;
  /** Has the intents paid, so many a second. */
  play(intents: readonly ToPay[], perSecond: number): Promise<void>;
}

/** The chain of yardsticks/recorded-chain.ts, in a process of its own; every account holds `openingBalance` from the start. */
export async function startRecordedChain(
  shop: Workshop,
  { slotMs, openingBalance = 0 }: { slotMs: number; openingBalance?: number },
): Promise<RecordedChain> {
  const running = await shop.startYardstick('recorded-chain.ts', {
    name: 'recorded-chain',
    env: { SLOT_MS: String(slotMs), CENTS: String(CENTS), OPENING_BALANCE: String(openingBalance) },
  });
  const ask = async (method: string, ...params: unknown[]): Promise<number> => {
    const response = await fetch(running.url, { method: 'POST', body: JSON.stringify({ method, params }) });
    return ((await response.json()) as { result: number }).result;
  };
  let played = 0;
  return {
    running,
    ask,
    async play(intents, perSecond) {
      const path = join(shop.folder, `payments-${played++}.json`);
      await writeFile(path, JSON.stringify(await recordedPayments(intents)));
      await ask('bench_play', path, perSecond);
    },
  };
}
