import { findMerchant } from '../../accounts/merchants/queries.ts';
import { defaultSponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import type { Network } from '../../chain/solana/network.ts';
import type { Database } from '../../platform/db/database.ts';
import { startOfUtcDay } from '../../platform/lib/clock.ts';
import { merchantLimit } from './merchant-limit.ts';
import { countSponsored } from './queries.ts';
import { readSponsorState, type SponsorReading } from './read-sponsor-state.ts';
import type { Sponsor } from './sponsor.ts';

export interface ReadSponsorParts {
  db: Database;
  network: Network;
  /** Absent where no fee payer is set. */
  sponsor: Sponsor | undefined;
}

const NOT_SET_UP: SponsorReading = {
  reasonOff: 'not_set_up',
  balanceLamports: null,
  spentTodayLamports: 0n,
};

/** Returns what a merchant may see of the fee payer, and the merchant's own choice. */
export async function readSponsor({ db, network, sponsor }: ReadSponsorParts, merchantId: string, now: Date) {
  const merchant = await findMerchant(db, merchantId);
  const state = sponsor ? await readSponsorState(db, sponsor, now, merchantId) : NOT_SET_UP;
  return {
    ...state,
    sponsorFees: merchant?.sponsorFees ?? defaultSponsorMode(network === 'sandbox'),
    isOn: state.reasonOff === null,
    address: sponsor?.feePayer.address ?? null,
    limitLamportsPerDay: sponsor?.limitLamportsPerDay ?? 0n,
    merchantLimitLamportsPerDay: sponsor ? await merchantLimit(db, sponsor, merchantId) : null,
    transactionsTodayCount: await countSponsored(db, merchantId, startOfUtcDay(now)),
  };
}
