import { type Intent, isOffered, whyNotPayable } from '../../intents/intent.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import type { Sale, SaleLabels } from '../../payments/offers/sale.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Template } from '../../platform/lib/text-template.ts';
import type { Outcome } from './outcome.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import type { ResourceInfo } from './protocol.ts';
import { findProjectOfSession, findSellerTerms } from './queries.ts';
import { whyNoOffer, whyNotSponsored } from './why-no-offer.ts';

/** A URL where programs pay for something that is written only when they do. */
export interface SalePlace {
  kind: 'sale';
  route: string;
  labels: SaleLabels;
  /** A buyer of credits gets a token here that spends them. */
  hasCreditTokens?: boolean;
  /** Read when it is needed: a payment that was made here keeps its outcome after the sale has ended. */
  read(): Promise<OpenSale>;
  /** Returns what is or was sold here, for a payment that is on chain already, at the terms of its offer. */
  readSold(terms: SoldTerms): Promise<Sale>;
  /** A payment has shown that what was read is out of date, though it is moments old. */
  forget(): void;
  /** Throws while all that is left is being bought by others. Asked before it is offered; accepting it counts exactly. */
  requireLeft?(): Promise<void>;
}

export type SoldTerms = Pick<Sale, 'payTo' | 'amountCents'>;

export interface OpenSale {
  sale: Sale;
  resource: ResourceInfo;
  settleAt: SettleAt;
  /** Null: the network fee is paid for the buyer, who then needs no SOL. */
  whyNotSponsored: string | null;
  /** Parts that all of its offers share, written once by each protocol. */
  templates: Map<string, Template>;
}

/** A URL where programs pay one intent. */
export interface IntentPlace {
  kind: 'intent';
  intent: Intent;
  resource: ResourceInfo;
}

export type Place = SalePlace | IntentPlace;

/** Returns the merchant of a place, even if the sale has ended. */
export async function merchantOf(place: Place): Promise<string> {
  if (place.kind === 'intent') return place.intent.merchantId;
  return (await place.readSold({ payTo: '', amountCents: 0n })).merchantId;
}

/** Refreshes a place before it makes its offer again after a refused payment: what it remembers may be the reason. */
export async function refreshOffer({ db }: X402Parts, place: Place, outcome: Outcome): Promise<Place> {
  if (outcome.kind !== 'refused' || !outcome.isOfferOver) return place;
  if (place.kind === 'intent') return { ...place, intent: (await findIntentAnywhere(db, place.intent.id))! };
  place.forget();
  return place;
}

const QUICK_UP_TO_CENTS = 1_000n;

/** Up to $10 a confirmed payment is good enough to answer with; beyond, and for credits, it is final first. */
export function defaultSettleAt(amountCents: Cents, isCredits = false): SettleAt {
  return amountCents <= QUICK_UP_TO_CENTS && !isCredits ? 'confirmed' : 'finalized';
}

/** How long a payment at a place is waited for. The sale may be over while its payment is still on its way. */
export async function settleAtOf(place: Place): Promise<SettleAt> {
  if (place.kind === 'intent') return defaultSettleAt(place.intent.expectedAmountCents);
  try {
    return (await place.read()).settleAt;
  } catch (error) {
    if (error instanceof AppError) return 'finalized';
    throw error;
  }
}

export interface Seller {
  payTo: string;
  whyNotSponsored: string | null;
}

/** Returns where money goes now; throws the reason why none can be taken from programs. */
export async function requireSeller(
  parts: X402Parts,
  merchantId: string,
  projectId: string | null,
): Promise<Seller> {
  const seller = await findSellerTerms(parts.db, merchantId, projectId);
  if (!seller) throw new AppError('NOT_FOUND');
  const reason = await whyNoOffer(parts, seller);
  if (reason) throw noOffer(reason);
  return { payTo: seller.destination!, whyNotSponsored: await whyNotSponsored(parts, seller) };
}

/** Only what waits for its money is offered. Answers why its network fee is not paid for the buyer, if so. */
export async function requireOfferable(parts: X402Parts, intent: Intent): Promise<string | null> {
  if (!isOffered(intent, parts.clock.now()))
    throw new AppError('INVALID_STATE', { message: whyNotPayable(intent) });
  const { merchantId, id, destinationAddress } = intent;
  const projectId = (await findProjectOfSession(parts.db, merchantId, id))?.projectId ?? null;
  const seller = await findSellerTerms(parts.db, merchantId, projectId);
  const reason = await whyNoOffer(parts, { ...seller!, destination: destinationAddress });
  if (reason) throw noOffer(reason);
  return whyNotSponsored(parts, seller!);
}

export function requireSponsored(reason: string | null): void {
  if (reason) throw noOffer(reason);
}

function noOffer(reason: string): AppError {
  return new AppError('INVALID_STATE', { message: `This cannot be paid by x402. ${reason}` });
}
