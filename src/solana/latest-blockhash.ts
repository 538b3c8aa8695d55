import type { Rpc } from './rpc.ts';
import { integer, object, text } from './shapes.ts';

export interface LatestBlockhash {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

export function latestBlockhash(rpc: Rpc): Promise<LatestBlockhash> {
  return rpc.ask('getLatestBlockhash', [{ commitment: 'confirmed' }], (value) => {
    const latest = object(object(value, 'blockhash').value, 'blockhash');
    return {
      blockhash: text(latest.blockhash, 'blockhash'),
      lastValidBlockHeight: BigInt(integer(latest.lastValidBlockHeight, 'block height')),
    };
  });
}
