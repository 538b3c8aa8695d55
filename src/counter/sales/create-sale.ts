import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { listPricesByRef } from '../../billing/catalog/queries.ts';
import { createCheckout } from '../../billing/checkout-sessions/create-checkout.ts';
import { requireDestination, withDestination } from '../../billing/checkout-sessions/destination.ts';
import { tipOf, withTip } from '../../billing/checkout-sessions/tip.ts';
import { amountOfLines } from '../../billing/invoices/invoice.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Intent } from '../../intents/intent.ts';
import { listIntentsByRef } from '../../intents/queries.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Answer } from '../../platform/http/route.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import { addMinutes, type Clock } from '../../platform/lib/clock.ts';
import { badField } from '../../platform/lib/errors.ts';
import { countSale } from '../tills/count-sale.ts';
import type { PairedTill } from '../tills/till.ts';
import { freeTerminal } from './free-terminal.ts';
import { orderLines } from './order-lines.ts';
import {
  type Basket,
  choosePrices,
  metadataOf,
  orderIdOf,
  requireAmount,
  type Sale,
  saleLines,
  tillSales,
} from './sale.ts';

export interface CreateSale {
  till: PairedTill;
  basket: Basket & { tipPercent: number };
  key: string | undefined;
  serialize(sale: { sale: Sale; intent: Intent }): string;
}

export interface SaleParts {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  intentLifeMinutes: number;
  publicUrl(): string;
}

/**
 * Asks for a payment at the till's terminal, for items at the catalog's prices, an amount, or both. It is an order of the
 * till's project like any other: with its tax, its tip, and an invoice once it is paid. The same key makes one sale.
 */
export async function createSale(parts: SaleParts, input: CreateSale): Promise<Answer> {
  const { db, clock, ensureWatched, intentLifeMinutes } = parts;
  const { till, basket, key } = input;
  const { merchantId, projectId } = till;
  const now = clock.now();
  const expiresAt = addMinutes(now, intentLifeMinutes);
  const request = { merchantId, operation: `createSale:${till.id}`, key, body: basket, now };
  return withDestination(db, ensureWatched, { merchantId, projectId }, expiresAt, (destination) =>
    withIdempotency(db, request, async (tx) => {
      const place = { destination, publicUrl: parts.publicUrl(), expiresAt, now };
      return { status: 201, text: input.serialize(await storeSale(tx, input, place)) };
    }),
  );
}

interface SalePlace {
  destination: string | undefined;
  publicUrl: string;
  expiresAt: Date;
  now: Date;
}

async function storeSale(
  tx: Tx,
  { till, basket }: CreateSale,
  place: SalePlace,
): Promise<{ sale: Sale; intent: Intent }> {
  const { merchantId, id: tillId, projectId, terminalId } = till;
  const project = await requireActiveProject(tx, { merchantId, id: projectId });
  const destination = await requireDestination(tx, { merchantId, projectId }, place.destination);
  const number = await countSale(tx, till);
  const orderId = orderIdOf({ tillId, number });
  await freeTerminal(tx, till, place.now);
  const refs = basket.items.map(({ priceId }) => ({ merchantId, id: priceId }));
  const shelf = (await listPricesByRef(tx, refs)).filter((price) => price.projectId === projectId);
  const chosen = choosePrices(shelf, basket);
  const lines = saleLines(chosen, basket.amountCents);
  const goods = await orderLines(tx, project, chosen, { amountCents: basket.amountCents, orderId });
  const goodsCents = requireAmount(amountOfLines(goods));
  const tipCents = tipFor(till, goodsCents, basket.tipPercent);
  const { paymentIntentId: intentId } = await createCheckout(tx, {
    ...{ ...place, project, destination, terminalId, tipCents, lines: withTip(goods, tipCents) },
    ...{ mode: 'one_time', origin: 'link', priceId: null, creditAmount: null, paymentLinkId: null },
    ...{ customer: undefined, customerEmail: null, customerName: null, clientReferenceId: null },
    ...{ merchantReference: orderId, metadata: metadataOf(lines, tipCents) },
    ...{ successUrl: null, cancelUrl: null, tipPercents: tipCents > 0n ? till.tipPercents : [] },
  });
  const sale: Sale = { merchantId, intentId, tillId, number, lines, goodsCents, tipCents };
  await tillSales.insert(tx, sale);
  const [intent] = await listIntentsByRef(tx, [{ merchantId, id: intentId }]);
  return { sale, intent: intent! };
}

function tipFor({ tipPercents }: PairedTill, goodsCents: bigint, percent: number): bigint {
  if (percent === 0) return 0n;
  if (!tipPercents.includes(percent))
    throw badField('tipPercent', 'must be one of the tips that the till offers');
  return tipOf(goodsCents, percent);
}
