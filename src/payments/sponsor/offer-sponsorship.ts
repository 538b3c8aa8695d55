import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { type Intent, isOffered } from '../../intents/intent.ts';
import type { Database } from '../../platform/db/database.ts';
import { findSponsorMode, hasSponsoredUnderWay } from './queries.ts';
import { readSponsorState } from './read-sponsor-state.ts';
import type { ReasonOff, Sponsor } from './sponsor.ts';

export interface OfferParts {
  db: Database;
  /** Absent where no fee payer is set. */
  sponsor: Sponsor | undefined;
}

/** Reason why the fee of a payment is not paid: one of the fee payer, or one of this payment. */
export type ReasonNotOffered = ReasonOff | 'not_chosen' | 'no_token_account' | 'under_way' | 'not_payable';

export interface SponsorOffer {
  sponsor: Sponsor;
  /** Only for payers who have next to no SOL. */
  isOnlyWhenNeeded: boolean;
}

/** Returns the offer to pay the fee of a payment, or the reason why it would not be paid now. */
export async function offerSponsorship(
  { db, sponsor }: OfferParts,
  intent: Intent,
  now: Date,
): Promise<SponsorOffer | ReasonNotOffered> {
  if (!sponsor) return 'not_set_up';
  // An order that is over may still be paid, but not at our expense.
  if (!isOffered(intent, now)) return 'not_payable';
  const mode = (await findSponsorMode(db, intent)) ?? sponsor.defaultMode;
  if (mode === 'never') return 'not_chosen';
  if (await hasSponsoredUnderWay(db, intent)) return 'under_way';
  const { reasonOff } = await readSponsorState(db, sponsor, now, intent.merchantId);
  if (reasonOff !== null) return reasonOff;
  const canReceive = await sponsor.hasAccount(intent.destinationAddress).catch((error: unknown) => {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  });
  if (canReceive === undefined) return 'network_unreachable';
  return canReceive ? { sponsor, isOnlyWhenNeeded: mode === 'when_needed' } : 'no_token_account';
}
