import { namedInMemos, orderMemo } from '../../chain/solana/order-memo.ts';
import { amountOf, type PromisedIds, type Sale, type SaleLabels } from '../../payments/offers/sale.ts';
import type { SealedFacts } from '../../payments/offers/seals.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import type { X402Parts } from './parts.ts';
import {
  NETWORK_IDS,
  type PaymentRequired,
  type PaymentRequirements,
  type ResourceInfo,
  SCHEME,
  X402_VERSION,
} from './protocol.ts';

/** Time for which an offer can be accepted. */
export const OFFER_LIFE_SECONDS = 300;

type Chain = Pick<X402Parts, 'network' | 'mint'>;

interface Terms {
  feePayer: string;
  payTo: string;
  amountBaseUnits: BaseUnits;
  /** Reference of the intent, which the memo names. */
  reference: string;
}

export function requirementsOf({ network, mint }: Chain, terms: Terms): PaymentRequirements {
  const { feePayer, payTo, amountBaseUnits, reference } = terms;
  return {
    scheme: SCHEME,
    network: NETWORK_IDS[network],
    amount: amountBaseUnits.toString(),
    asset: mint,
    payTo,
    maxTimeoutSeconds: OFFER_LIFE_SECONDS,
    extra: { feePayer, memo: orderMemo(reference) },
  };
}

/** Returns the offer, without its seal, of something that has no row yet. */
export function unsealedRequirements(parts: X402Parts, sale: Sale, reference: string): PaymentRequirements {
  const feePayer = parts.sponsor?.feePayer.address ?? '';
  return requirementsOf(parts, { feePayer, payTo: sale.payTo, amountBaseUnits: amountOf(sale), reference });
}

/** Returns the seal by which we recognize our offer. */
export function sealOf(
  { seals, mint, network }: X402Parts,
  sale: Sale,
  { intentId, reference }: PromisedIds,
  now: Date,
): string {
  const { route, labels, payTo } = sale;
  const sold = { amount: amountOf(sale).toString(), payTo, asset: mint, network: NETWORK_IDS[network] };
  return seals.seal({ ...sold, route, labels, reference }, intentId, now);
}

export interface OpenedOffer extends PromisedIds {
  issuedAt: Date;
  /** Our own words, whatever else came with them. */
  required: PaymentRequirements;
}

/** Opens the offer that a client says it accepted, if we made exactly that offer. */
export function openOffer(
  parts: X402Parts,
  accepted: PaymentRequirements,
  { route, labels }: { route: string; labels: SaleLabels },
  feePayer: string,
): OpenedOffer | undefined {
  const { memo, offer } = accepted.extra;
  const [reference] = typeof memo === 'string' ? namedInMemos([memo]) : [];
  if (reference === undefined || typeof offer !== 'string') return undefined;
  if (!isOurs(parts, accepted, feePayer)) return undefined;
  const seal = parts.seals.open(factsOf(accepted, { route, labels, reference }), offer);
  if (!seal) return undefined;
  const { payTo } = accepted;
  const amountBaseUnits = BigInt(accepted.amount);
  return {
    ...seal,
    reference,
    required: requirementsOf(parts, { feePayer, payTo, amountBaseUnits, reference }),
  };
}

/** The part that is the same for everything sold here. */
export function isOurs({ network, mint }: Chain, accepted: PaymentRequirements, feePayer: string): boolean {
  return (
    accepted.scheme === SCHEME &&
    accepted.network === NETWORK_IDS[network] &&
    accepted.asset === mint &&
    accepted.extra.feePayer === feePayer &&
    accepted.maxTimeoutSeconds === OFFER_LIFE_SECONDS
  );
}

function factsOf(
  { amount, payTo, asset, network }: PaymentRequirements,
  sold: Pick<SealedFacts, 'route' | 'labels' | 'reference'>,
): SealedFacts {
  return { ...sold, amount, payTo, asset, network };
}

/** A client may name its payment, so that asking twice pays once. */
const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

export function paymentRequired(
  requirements: PaymentRequirements,
  resource: ResourceInfo,
  error: string,
): PaymentRequired {
  return {
    x402Version: X402_VERSION,
    error,
    resource,
    accepts: [requirements],
    extensions: { 'payment-identifier': PAYMENT_IDENTIFIER },
  };
}
