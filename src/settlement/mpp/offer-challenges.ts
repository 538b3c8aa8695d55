import { TOKEN_PROGRAM, USDC_DECIMALS } from '../../chain/solana/network.ts';
import { orderMemo } from '../../chain/solana/order-memo.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import { newReferenceAddress } from '../../platform/lib/base58.ts';
import { newId } from '../../platform/lib/ids.ts';
import { amountOf } from '../offers/sale.ts';
import { dueBaseUnits } from '../public-payments/read-public-intent.ts';
import { type Place, requireOfferable } from '../x402/place.ts';
import { newChallenge, type Offered } from './challenge.ts';
import type { MppParts } from './parts.ts';
import { type Challenge, type ChargeRequest, NETWORK_NAMES } from './protocol.ts';

/** What can be bought at a place and how: with the network fee paid for the buyer where we pay it, and without. */
export async function offerChallenges(
  parts: MppParts,
  place: Place,
  { isSelfPaying }: { isSelfPaying: boolean },
): Promise<Challenge[]> {
  const now = parts.clock.now();
  const { whyNotSponsored, order, ...terms } = await readTerms(parts, place, now);
  const plain = requestOf(parts, terms);
  const realm = new URL(parts.publicUrl()).host;
  const make = (request: ChargeRequest) =>
    newChallenge(parts.challengeKeys, offeredAt(place), { realm, request, order, now });
  const sponsored =
    whyNotSponsored === null && !isSelfPaying ? await sponsoredRequest(parts, plain) : undefined;
  // Clients take the first that they understand, and most of them can do without the fee.
  return [...(sponsored ? [make(sponsored)] : []), make(plain)];
}

/** Where an offer is valid. */
export function offeredAt(place: Place): Offered {
  if (place.kind === 'sale') return { route: place.route, labels: place.labels };
  return {
    route: `intent:${place.intent.id}`,
    labels: { clientReferenceId: null, customerEmail: null },
  };
}

interface Terms {
  amountBaseUnits: bigint;
  payTo: string;
  reference: string;
  description: string;
}

async function readTerms(
  parts: MppParts,
  place: Place,
  now: Date,
): Promise<Terms & { whyNotSponsored: string | null; order: string | undefined }> {
  if (place.kind === 'intent') {
    const { intent, resource } = place;
    return {
      whyNotSponsored: await requireOfferable(parts, intent),
      order: undefined,
      amountBaseUnits: dueBaseUnits(intent),
      payTo: intent.destinationAddress,
      reference: intent.referenceAddress,
      description: resource.description,
    };
  }
  const { sale, resource, whyNotSponsored } = await place.read();
  await place.requireLeft?.();
  return {
    whyNotSponsored,
    order: newId(now),
    amountBaseUnits: amountOf(sale),
    payTo: sale.payTo,
    reference: newReferenceAddress(),
    description: resource.description,
  };
}

function requestOf({ mint, network }: MppParts, terms: Terms): ChargeRequest {
  return {
    amount: terms.amountBaseUnits.toString(),
    currency: mint,
    description: terms.description,
    externalId: orderMemo(terms.reference, 'mpp'),
    recipient: terms.payTo,
    methodDetails: {
      network: NETWORK_NAMES[network],
      decimals: USDC_DECIMALS,
      tokenProgram: TOKEN_PROGRAM,
    },
  };
}

/** With a blockhash a client need not ask the network anything. One that pays the fee and sends alone asks anyway. */
async function sponsoredRequest(parts: MppParts, plain: ChargeRequest): Promise<ChargeRequest> {
  const latest = await parts.latestBlockhash().catch((error: unknown) => {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  });
  return {
    ...plain,
    methodDetails: {
      ...plain.methodDetails,
      feePayer: true,
      feePayerKey: parts.sponsor!.feePayer.address,
      ...(latest && { recentBlockhash: latest.blockhash }),
    },
  };
}
