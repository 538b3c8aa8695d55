import type { Witnesses } from '../../chain/nodes/witnesses.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import type { Network } from '../../chain/solana/network.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import type { OrderParts } from '../../payments/offers/accept-order.ts';
import type { Seals } from '../../payments/offers/seals.ts';
import type { PaymentLimits } from '../../payments/public-payments/payment-limits.ts';
import type { LandingWatch } from '../../payments/sponsor/await-landing.ts';
import type { Sponsor } from '../../payments/sponsor/sponsor.ts';
import type { Environment } from '../../platform/access/key.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Purchase } from '../credit-tokens/issue-credit-token.ts';
import type { PaymentsRead } from './payments-read.ts';
import type { SaleVersionOf } from './sale-versions.ts';

/** Dependencies of selling to programs. */
export interface X402Parts extends OrderParts {
  rpc: Rpc;
  log: Logger;
  mint: string;
  network: Network;
  environment: Environment;
  /** Absent where no fee payer is set up: then x402 is not offered. */
  sponsor: Sponsor | undefined;
  /** True if an owner can receive: programs never create the account. */
  hasAccount(owner: string): Promise<boolean>;
  latestBlockhash(): Promise<LatestBlockhash>;
  landings: LandingWatch;
  witnesses: Witnesses;
  seals: Seals;
  saleVersionOf: SaleVersionOf;
  limits: PaymentLimits;
  paymentsRead: PaymentsRead;
  /** Issues the token that a buyer of credits shows in order to spend them. */
  issueCreditToken(purchase: Purchase): Promise<string>;
  /** Time that an answer waits for the network before it says that the outcome is not known yet. */
  settleWaitMs: number;
}

export type SettleAt = 'confirmed' | 'finalized';
