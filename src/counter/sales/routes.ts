import { imagePath } from '../../accounts/images/image-url.ts';
import { listShelf } from '../../billing/catalog/queries.ts';
import { listIntentsByRef } from '../../intents/queries.ts';
import type { App } from '../../platform/http/route.ts';
import { Int32, Int64, List, Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { LiveVersions } from '../../platform/live/live-versions.ts';
import { answerLive } from '../../platform/live/stream.ts';
import type { PairedTill } from '../tills/till.ts';
import { type TillAccess, tillRoute } from '../tills/till-route.ts';
import { cancelSale } from './cancel-sale.ts';
import { createSale, type SaleParts } from './create-sale.ts';
import { SaleView } from './present.ts';
import { findSale, listSales, type SaleRow } from './queries.ts';
import { type ReadSaleParts, readSale, saleReader } from './read-sale.ts';
import { requestRefund } from './request-refund.ts';
import { type RequestRoutes, refundRequestRoutes } from './request-routes.ts';
import { MAX_CENTS, MAX_ITEMS, MAX_QUANTITY, nameOf } from './sale.ts';
import { patchTerminalRoute } from './terminal-routes.ts';

const Cents = (min: number) => ({ ...Int64({ min }), maximum: MAX_CENTS }) as ReturnType<typeof Int64>;

const SaleBody = Shape(undefined, {
  items: Optional(
    List(Shape(undefined, { priceId: Uuid(), quantity: Int32({ min: 1, max: MAX_QUANTITY }) }), {
      max: MAX_ITEMS,
    }),
  ),
  amountCents: Optional(Cents(0)),
  tipPercent: Optional(Int32({ min: 0, max: 100 })),
});

const RefundBody = Shape(undefined, { reason: Optional(Nullable(Text({ max: 200 }))) });

const ItemView = Shape(undefined, {
  priceId: Uuid(),
  name: Text(),
  unitAmountCents: Int64(),
  imagePath: Nullable(Text()),
});

const LAST_SALES = 20;
const SHELF_PAGE = 200;
const NO_STORE = 'no-store';
const NEW = { seenBaseUnits: 0n, strayCents: 0n, request: null, otherToken: null, sessionId: null };

export type TillSaleParts = TillAccess & SaleParts & ReadSaleParts & RequestRoutes & { live: LiveVersions };

/** Routes for a paired till, which can do nothing else, and for an owner's decisions on its requests. */
export function tillSaleRoutes(app: App, parts: TillSaleParts): void {
  const { db, clock } = parts;
  refundRequestRoutes(app, parts);
  patchTerminalRoute(app, parts);

  tillRoute(app, parts, {
    method: 'GET',
    path: '/items',
    id: 'listTillItems',
    query: Shape(undefined, { after: Optional(Uuid('The last price of the page before.')) }),
    success: { status: 200, schema: List(ItemView), description: 'What is for sale, by name, 200 a page.' },
    errors: ['BAD_REQUEST'],
    async handle({ till, query, reply }) {
      reply.header('cache-control', NO_STORE);
      const shelf = await listShelf(db, till, { after: query.after, limit: SHELF_PAGE });
      return shelf.map((price) => ({
        priceId: price.id,
        name: nameOf(price),
        unitAmountCents: price.unitAmountCents,
        imagePath: price.productImageFile && imagePath(price.productImageFile),
      }));
    },
  });

  tillRoute(app, parts, {
    method: 'POST',
    path: '/sales',
    id: 'createTillSale',
    verified: true,
    body: SaleBody,
    idempotency: 'uuid',
    success: { status: 201, schema: SaleView, description: 'The sale, waiting to be paid.' },
    errors: [],
    async handle({ till, body, idempotencyKey: key, serialize }) {
      const read = await saleReader(parts, till);
      const { items = [], amountCents = 0n, tipPercent = 0 } = body;
      const basket = { items, amountCents, tipPercent };
      return createSale(parts, {
        ...{ till, basket, key },
        serialize: ({ sale, intent }) => serialize(read({ ...sale, ...NEW }, intent)),
      });
    },
  });

  tillRoute(app, parts, {
    method: 'GET',
    path: '/sales',
    id: 'listTillSales',
    success: { status: 200, schema: List(SaleView), description: 'Its own last sales, newest first.' },
    errors: [],
    async handle({ till, reply }) {
      reply.header('cache-control', NO_STORE);
      const read = await saleReader(parts, till);
      const rows = await listSales(db, till, LAST_SALES);
      const refs = rows.map(({ merchantId, intentId: id }) => ({ merchantId, id }));
      const intents = new Map((await listIntentsByRef(db, refs)).map((intent) => [intent.id, intent]));
      return rows.map((row) => read(row, intents.get(row.intentId)!));
    },
  });

  tillRoute(app, parts, {
    method: 'GET',
    path: '/sales/{saleId}',
    id: 'getTillSale',
    success: { status: 200, schema: SaleView, description: 'The sale as it is now.' },
    errors: [],
    async handle({ till, params, reply }) {
      reply.header('cache-control', NO_STORE);
      return readSale(parts, till, params.saleId!.toLowerCase());
    },
  });

  tillRoute(app, parts, {
    method: 'POST',
    path: '/sales/{saleId}/cancel',
    id: 'cancelTillSale',
    success: { status: 200, schema: SaleView, description: 'The canceled sale.' },
    errors: [],
    async handle({ till, params }) {
      const sale = await requireOwnSale(parts, till, params.saleId!);
      await db.transaction((tx) => cancelSale(tx, sale, clock.now()));
      return readSale(parts, till, sale.intentId);
    },
  });

  tillRoute(app, parts, {
    method: 'POST',
    path: '/sales/{saleId}/refund-request',
    id: 'requestTillRefund',
    body: RefundBody,
    bodyOptional: true,
    success: { status: 201, schema: SaleView, description: 'The sale, with its request.' },
    errors: [],
    async handle({ till, params, body }) {
      const { intentId: id } = await requireOwnSale(parts, till, params.saleId!);
      const input = { till, intentId: id, reason: body.reason ?? null, now: clock.now() };
      await db.transaction((tx) => requestRefund(tx, input));
      return readSale(parts, till, id);
    },
  });

  tillRoute(app, parts, {
    method: 'GET',
    path: '/live',
    id: 'followTill',
    success: { status: 200, description: 'Whenever its sale or its pairing changes.' },
    errors: [],
    handle: ({ till, request, reply }) =>
      answerLive(parts.live, { kind: 'till', id: till.id }, request, reply),
  });
}

async function requireOwnSale({ db }: TillSaleParts, till: PairedTill, saleId: string): Promise<SaleRow> {
  const sale = await findSale(db, till, saleId.toLowerCase());
  if (!sale) throw new AppError('NOT_FOUND');
  return sale;
}
