import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { object } from '../../chain/solana/shapes.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Json, stringifyJson } from '../../platform/lib/json.ts';

/** Nothing is signed that would fail on chain: it would cost its fee and pay nobody. */
export async function requireSuccess(rpc: Rpc, wire: string): Promise<void> {
  const failure = await simulate(rpc, wire).catch(networkUnavailable);
  if (failure === null) return;
  const detail = stringifyJson(failure).slice(0, 300);
  const message = /BlockhashNotFound/.test(detail)
    ? 'This transaction has lapsed; ask for a new one.'
    : 'The network would not take this payment: is there enough USDC in the wallet?';
  throw new AppError('INVALID_STATE', { message, detail, reason: 'simulation' });
}

/** Null where it would succeed; the network's own error otherwise. */
export function simulate(rpc: Rpc, wire: string): Promise<Json | null> {
  const options = { encoding: 'base64', commitment: 'processed', sigVerify: false };
  return rpc.ask('simulateTransaction', [wire, options], (value) => {
    const outcome = object(object(value, 'simulation').value, 'simulation');
    if (outcome.err === undefined) throw new RpcFailure('a simulation without an outcome');
    return outcome.err;
  });
}
