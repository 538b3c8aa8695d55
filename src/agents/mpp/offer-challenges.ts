import { TOKEN_PROGRAM, USDC_DECIMALS } from '../../chain/solana/network.ts';
import { orderMemo } from '../../chain/solana/order-memo.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { amountOf, NO_LABELS, type PromisedIds } from '../../payments/offers/sale.ts';
import { dueBaseUnits } from '../../payments/public-payments/read-public-intent.ts';
import { kept, newGap, templateOf } from '../../platform/lib/text-template.ts';
import { type IntentPlace, type OpenSale, type Place, requireOfferable } from '../x402/place.ts';
import { type Canonical, canonicalJson } from './canonical-json.ts';
import { expiryOf, newChallenge, type Offered } from './challenge.ts';
import type { MppParts } from './parts.ts';
import { type Challenge, type ChargeRequest, NETWORK_NAMES } from './protocol.ts';

export interface Asked {
  /** Clients that broadcast their own transactions pay their own fee. */
  isSelfPaying: boolean;
  now: Date;
}

/** Returns offers for an intent: one with the network fee paid for the buyer if we pay it, and one without. */
export async function challengesOfIntent(
  parts: MppParts,
  place: IntentPlace,
  asked: Asked,
): Promise<Challenge[]> {
  const { intent, resource } = place;
  const whyNotSponsored = await requireOfferable(parts, intent);
  const terms: Terms = {
    amountBaseUnits: dueBaseUnits(intent),
    payTo: intent.destinationAddress,
    externalId: orderMemo(intent.referenceAddress, 'mpp'),
    description: resource.description,
  };
  const write: WriteRequest = (details) => textOf(parts, terms, details);
  return makeChallenges(parts, asked, {
    offered: offeredAt(place),
    order: undefined,
    whyNotSponsored,
    write,
  });
}

/** The same for an order that is created only when it is paid, under the IDs promised for it. */
export function challengesOfSale(
  parts: MppParts,
  open: OpenSale,
  { intentId, reference }: PromisedIds,
  asked: Asked,
): Promise<Challenge[]> {
  const { sale, whyNotSponsored } = open;
  const externalId = orderMemo(reference, 'mpp');
  const write: WriteRequest = (details) => textOfSale(parts, open, externalId, details);
  return makeChallenges(parts, asked, { offered: sale, order: intentId, whyNotSponsored, write });
}

/** Returns the place at which offers are valid. */
export function offeredAt(place: Place): Offered {
  if (place.kind === 'sale') return { route: place.route, labels: place.labels };
  return { route: `intent:${place.intent.id}`, labels: NO_LABELS };
}

/** Null: the buyer pays the fee. */
type SponsoredDetails = { blockhash: string | undefined } | null;
type WriteRequest = (details: SponsoredDetails) => string;

interface Offer {
  offered: Offered;
  order: string | undefined;
  whyNotSponsored: string | null;
  write: WriteRequest;
}

async function makeChallenges(
  parts: MppParts,
  { isSelfPaying, now }: Asked,
  { offered, order, whyNotSponsored, write }: Offer,
): Promise<Challenge[]> {
  const realm = hostOf(parts.publicUrl());
  const expires = expiryOf(now);
  const make = (details: SponsoredDetails) => {
    const request = Buffer.from(write(details)).toString('base64url');
    return newChallenge(parts.challengeKeys, offered, { realm, request, order, expires });
  };
  if (whyNotSponsored !== null || isSelfPaying) return [make(null)];
  // Clients take the first offer they understand, and most of them prefer not to pay the fee.
  return [make({ blockhash: await findBlockhash(parts) }), make(null)];
}

let latestHost = { url: '', host: '' };

/** Parsed again only when it changes, which is rare. */
function hostOf(url: string): string {
  if (latestHost.url !== url) latestHost = { url, host: new URL(url).host };
  return latestHost.host;
}

/** Spares the client a request to the network. A client that pays the fee and broadcasts asks the network anyway. */
async function findBlockhash(parts: MppParts): Promise<string | undefined> {
  try {
    return (await parts.latestBlockhash()).blockhash;
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

interface Terms {
  amountBaseUnits: bigint;
  payTo: string;
  externalId: string;
  description: string;
}

function textOf(parts: MppParts, terms: Terms, details: SponsoredDetails): string {
  const request: ChargeRequest = {
    amount: terms.amountBaseUnits.toString(),
    currency: parts.mint,
    description: terms.description,
    externalId: terms.externalId,
    recipient: terms.payTo,
    methodDetails: {
      network: NETWORK_NAMES[parts.network],
      decimals: USDC_DECIMALS,
      tokenProgram: TOKEN_PROGRAM,
      ...(details && { feePayer: true, feePayerKey: parts.sponsor!.feePayer.address }),
      ...(details?.blockhash !== undefined && { recentBlockhash: details.blockhash }),
    },
  };
  return canonicalJson(request as unknown as Canonical);
}

const [EXTERNAL_ID, BLOCKHASH] = [newGap(), newGap()];

/** Written once per sale, except for the words that change. */
function textOfSale(
  parts: MppParts,
  { sale, resource, templates }: OpenSale,
  externalId: string,
  details: SponsoredDetails,
): string {
  const { payTo } = sale;
  const terms = { amountBaseUnits: amountOf(sale), payTo, description: resource.description };
  const text = (sponsored: SponsoredDetails) =>
    textOf(parts, { ...terms, externalId: EXTERNAL_ID }, sponsored);
  if (!details) return kept(templates, 'mpp', () => templateOf(text(null), [EXTERNAL_ID]))(externalId);
  const { blockhash } = details;
  if (blockhash === undefined) return textOf(parts, { ...terms, externalId }, details);
  const make = () => templateOf(text({ blockhash: BLOCKHASH }), [EXTERNAL_ID, BLOCKHASH]);
  return kept(templates, 'mpp sponsored', make)(externalId, blockhash);
}
