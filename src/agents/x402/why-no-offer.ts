import { VERIFIED } from '../../accounts/merchants/merchant.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { readSponsorState } from '../../payments/sponsor/read-sponsor-state.ts';
import { merchantMoving } from '../../platform/lib/errors.ts';
import type { X402Parts } from './parts.ts';
import type { SellerTerms } from './queries.ts';

/**
 * Returns what keeps any program from paying here, in a sentence that the seller can act on; null if nothing does. While the seller
 * is being moved to another installation, programs have to ask again.
 */
export async function whyNoOffer(parts: X402Parts, seller: SellerTerms): Promise<string | null> {
  if (seller.isClosed) throw merchantMoving();
  if (parts.environment === 'mainnet' && seller.verificationStatus !== VERIFIED)
    return 'The seller cannot take payments at the moment.';
  if (seller.destination === null) return 'The seller has no payout address.';
  if (await parts.hasAccount(seller.destination).catch(networkUnavailable)) return null;
  return 'The seller’s address has no usable token account for USDC yet; its first payment by a wallet creates it.';
}

/** Returns what keeps us from paying the network fee of such a payment; null if nothing does. */
export async function whyNotSponsored(
  { sponsor, db, clock }: X402Parts,
  seller: SellerTerms,
): Promise<string | null> {
  if (!sponsor) return 'This service has no fee payer, which payments by x402 need (FEE_PAYER_KEY_FILE).';
  if ((seller.sponsorMode ?? sponsor.defaultMode) === 'never')
    return 'The seller does not pay network fees (sponsorFees), which payments by x402 need.';
  const { reasonOff } = await readSponsorState(db, sponsor, clock.now(), seller.merchantId);
  return reasonOff && `Network fees cannot be paid right now (${reasonOff}).`;
}
