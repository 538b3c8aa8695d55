import { readFeePayer } from '../../chain/fee-payer/fee-payer.ts';
import { checkNode } from '../../chain/solana/check-network.ts';
import { createRpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { type Config, mintOf, quorumOf } from '../../config/config.ts';
import { readBalance } from '../../payments/sponsor/create-sponsor.ts';
import { countLongPending } from '../../payments/transfers/queries.ts';
import { listNodeRecords } from '../../payments/watcher/disagreement-queries.ts';
import { nodeName } from '../../payments/watcher/disagreements.ts';
import type { Database } from '../../platform/db/database.ts';
import { DAY_MS, realNow } from '../../platform/lib/clock.ts';

type Note = (check: string, ok: boolean, detail: string) => void;

/** The nodes as they are now: whether each answers, and is of the right network. */
export async function examineNodes(config: Config, note: Note): Promise<void> {
  const urls = config.SOLANA_RPC_URLS;
  if (urls.length === 0) return;
  const rpc = createRpc({ urls });
  const results = await Promise.allSettled(
    urls.map((_, node) => checkNode(rpc, node, config.FLORIN_NETWORK, mintOf(config))),
  );
  for (const [node, result] of results.entries()) {
    const ok = result.status === 'fulfilled';
    const detail = ok ? 'answers, and is on the right network' : adviceOn(result.reason as Error);
    note(`solana node ${node + 1}`, ok, `${nodeName(urls[node]!)}: ${detail}`);
  }
  examineQuorum(config, results.filter(({ status }) => status === 'fulfilled').length, note);
}

function adviceOn(error: Error): string {
  if (!(error instanceof RpcFailure)) return error.message;
  return `does not answer (${error.message}); ask its provider, or replace it in SOLANA_RPC_URLS`;
}

function examineQuorum(config: Config, good: number, note: Note): void {
  const count = config.SOLANA_RPC_URLS.length;
  const quorum = quorumOf(config);
  if (good < quorum) {
    const those = good === 0 ? 'none' : `only ${good}`;
    const detail = `${quorum} of ${count} must agree, and ${those} can be asked: payments are seen late or do not become final`;
    note('solana quorum', false, detail);
    return;
  }
  const isAlone = count === 1 && config.FLORIN_NETWORK === 'mainnet';
  note(
    'solana quorum',
    true,
    isAlone
      ? 'a single node decides what was paid; add a second provider to SOLANA_RPC_URLS'
      : `${quorum} of ${count} must agree${config.SOLANA_RPC_QUORUM_STRICT ? ', always' : ''}`,
  );
}

/** The key that pays fees: whether it can be read, and whether anything is left. */
export async function examineSponsor(config: Config, note: Note): Promise<void> {
  const { FEE_PAYER_KEY_FILE: file, FEE_PAYER_MIN_LAMPORTS: least, SOLANA_RPC_URLS: urls } = config;
  if (file === undefined) return;
  try {
    const { address } = await readFeePayer(file);
    const balance = urls.length > 0 ? await readBalance(createRpc({ urls }), address) : undefined;
    const ok = balance === undefined || balance >= BigInt(least);
    const held = balance === undefined ? '' : ` holds ${balance} lamports`;
    note(
      'fee sponsor',
      ok,
      ok ? `${address}${held}` : `${address}${held}, ${least} are needed: send SOL to it`,
    );
  } catch (error) {
    note('fee sponsor', false, `${file}: ${(error as Error).message}`);
  }
}

const LONG_MINUTES = 10;

/** Reports contradictions between nodes within a day, and transactions that are still undecided. */
export async function examineDisagreements(db: Database, note: Note): Promise<void> {
  const records = await listNodeRecords(db, new Date(realNow().getTime() - DAY_MS));
  const details = records.map(
    ({ node, undecided, contradicted }) =>
      `${node}: ${undecided} transactions undecided, ${contradicted} decided against it`,
  );
  note(
    'solana agreement',
    records.length === 0,
    records.length === 0
      ? 'no contradictions in the last day'
      : `${details.join('; ')} (table node_disagreements)`,
  );
  const pending = await countLongPending(db, new Date(realNow().getTime() - LONG_MINUTES * 60_000));
  note(
    'solana finality',
    pending === 0,
    pending === 0
      ? `no payment has waited ${LONG_MINUTES} minutes to become final`
      : `${pending} payments were seen more than ${LONG_MINUTES} minutes ago and are not final`,
  );
}
