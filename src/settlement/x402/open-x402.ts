import { blockhashKeeper } from '../../chain/solana/latest-blockhash.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { offerSeals } from '../offers/seals.ts';
import { landingWatch } from '../sponsor/await-landing.ts';
import type { X402Parts } from './parts.ts';

/** Longer than the network takes to confirm on a bad day, shorter than clients wait. */
const SETTLE_WAIT_MS = 30_000;

type Given = Omit<X402Parts, 'latestBlockhash' | 'landings' | 'seals' | 'settleWaitMs'> & {
  secrets: SecretBox;
};

/** What selling to programs keeps between requests, made once. */
export function openX402<Parts extends Given>({ secrets, ...parts }: Parts) {
  const { rpc } = parts;
  return {
    ...parts,
    latestBlockhash: blockhashKeeper(rpc),
    landings: landingWatch(rpc),
    seals: offerSeals(secrets),
    settleWaitMs: SETTLE_WAIT_MS,
  };
}
