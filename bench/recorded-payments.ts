import { randomBytes } from 'node:crypto';
import { SANDBOX_USDC_MINT } from '@florin/sandbox-chain';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { encodeBase58 } from '../src/platform/lib/base58.ts';
import type { ToPay } from './payer.ts';

/** A payment that yardsticks/recorded-chain.ts plays. */
export interface RecordedPayment {
  signature: string;
  reference: string;
  /** The owner, and the token account the money goes to. */
  destination: string;
  account: string;
}

export async function recordedPayments(intents: readonly ToPay[]): Promise<RecordedPayment[]> {
  return Promise.all(
    intents.map(async ({ reference, destination }) => ({
      signature: encodeBase58(randomBytes(64)),
      reference,
      destination,
      account: await associatedAccount(destination, SANDBOX_USDC_MINT),
    })),
  );
}
