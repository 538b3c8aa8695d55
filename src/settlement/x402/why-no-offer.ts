import { VERIFIED } from '../../accounts/merchants/merchant.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Sponsor } from '../sponsor/sponsor.ts';
import { readSponsorState } from '../sponsor/why-off.ts';
import type { X402Parts } from './parts.ts';
import type { SellerTerms } from './queries.ts';

/** What keeps a program from paying here, in a sentence that the seller can act on. Null: nothing. */
export async function whyNoOffer(parts: X402Parts, seller: SellerTerms): Promise<string | null> {
  const { sponsor, db, clock, environment } = parts;
  if (environment === 'mainnet' && seller.verificationStatus !== VERIFIED)
    return 'The seller cannot take payments at the moment.';
  if (!sponsor) return 'This service has no fee payer, which payments by x402 need (FEE_PAYER_KEY_FILE).';
  if ((seller.sponsorMode ?? sponsor.defaultMode) === 'never')
    return 'The seller does not pay network fees (sponsorFees), which payments by x402 need.';
  if (seller.destination === null) return 'The seller has no payout address.';
  const { reasonOff } = await readSponsorState(db, sponsor, clock.now());
  if (reasonOff) return `Network fees cannot be paid right now (${reasonOff}).`;
  if (await hasAccount(sponsor, seller.destination)) return null;
  return 'The seller’s address has no usable token account for USDC yet; its first payment by a wallet creates it.';
}

async function hasAccount(sponsor: Sponsor, owner: string): Promise<boolean> {
  try {
    return await sponsor.hasAccount(owner);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const message = 'The Solana network cannot be reached right now; try again shortly.';
    throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: 1, cause: error });
  }
}
