import { accountKeeper } from '../../chain/solana/account-keeper.ts';
import { offerSeals } from '../../payments/offers/seals.ts';
import { landingWatch } from '../../payments/sponsor/await-landing.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { issueCreditToken, type Purchase } from '../credit-tokens/issue-credit-token.ts';
import type { X402Parts } from './parts.ts';
import { paymentsRead } from './payments-read.ts';
import { saleVersions } from './sale-versions.ts';

/** Longer than the network takes to confirm on a bad day, shorter than clients wait. */
const SETTLE_WAIT_MS = 30_000;
const KEEP_MISSING_MS = 10_000;

type Given = Omit<
  X402Parts,
  'hasAccount' | 'issueCreditToken' | 'landings' | 'paymentsRead' | 'saleVersionOf' | 'seals' | 'settleWaitMs'
> & {
  secrets: SecretBox;
  settleWaitMs?: number | undefined;
};

/** Adds what selling to programs keeps between requests; called once. */
export function openX402<Parts extends Given>({ secrets, settleWaitMs, ...parts }: Parts) {
  const { db, rpc, mint, sponsor, witnesses } = parts;
  return {
    ...parts,
    hasAccount: sponsor?.hasAccount ?? accountKeeper({ rpc, mint, keepMs: KEEP_MISSING_MS }),
    landings: landingWatch(witnesses),
    seals: offerSeals(secrets),
    saleVersionOf: saleVersions(db),
    paymentsRead: paymentsRead(),
    issueCreditToken: (purchase: Purchase) => issueCreditToken({ db, secrets }, purchase),
    settleWaitMs: settleWaitMs ?? SETTLE_WAIT_MS,
  };
}
