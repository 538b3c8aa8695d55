import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { ExpandQuery, type Expansions, presentExpanded } from '../../platform/http/expand.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms, NewMetadata } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Flag,
  Int32,
  Int64,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { TAX_BEHAVIORS } from '../tax-rates/tax-rate.ts';
import { createPrice } from './create-price.ts';
import { loadProducts } from './load-catalog.ts';
import { patchPrice } from './patch-price.ts';
import { ExpandedPriceView, PriceView, presentPrice } from './present.ts';
import { BILLING_MODES, CURRENCIES, INTERVALS, MAX_TRIAL_DAYS, type Price } from './price.ts';
import { findPrice, listPrices } from './queries.ts';

const UNSEEN = '\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff';
/** Keys that look the same are the same: no space at either end, and nothing that cannot be seen. */
const SEEN = `^[^\\s${UNSEEN}](?:[^${UNSEEN}]*[^\\s${UNSEEN}])?$`;

const LookupKey = Nullable(
  Text({
    max: 200,
    pattern: SEEN,
    description: 'Your own name for it, unique in the project, to find it by; no space at either end.',
  }),
);

const tax = {
  taxBehavior: Optional(
    OneOf(
      TAX_BEHAVIORS,
      'Whether the amount contains tax (inclusive), tax is added to it (exclusive), or neither (none, the default). Once it is not none, it stays.',
    ),
  ),
  taxRateId: Optional(
    Nullable(Uuid('A tax rate of the project. Null: its default for the buyer’s country.')),
  ),
};

const CreatePriceBody = Shape('CreatePriceRequest', {
  projectId: Uuid(),
  productId: Uuid(),
  name: Optional(Nullable(Name())),
  lookupKey: Optional(LookupKey),
  unitAmountCents: Int64({ min: 1 }),
  currency: Optional(OneOf(CURRENCIES, 'USDC is accepted and means USD.')),
  billingMode: OneOf(BILLING_MODES),
  creditAmount: Optional(
    Nullable(
      Int64({
        min: 1,
        description: 'Required for balance_top_up, and only there: the credits the customer gets.',
      }),
    ),
  ),
  recurringInterval: Optional(Nullable(OneOf(INTERVALS, 'Required for subscription, and only there.'))),
  recurringIntervalCount: Optional(
    Nullable(Int32({ min: 1, max: 1_000, description: 'Only for subscription; default 1.' })),
  ),
  trialDays: Optional(
    Nullable(
      Int32({
        min: 1,
        max: MAX_TRIAL_DAYS,
        description: 'Only for subscription: how many days are free at first, once per customer and product.',
      }),
    ),
  ),
  ...tax,
  metadata: NewMetadata,
});

const PatchPriceBody = Shape('UpdatePriceRequest', {
  name: Optional(Nullable(Name())),
  lookupKey: Optional(LookupKey),
  isActive: Optional(Flag('false: it can no longer be bought.')),
  ...tax,
  metadata: ChangedMetadata,
});

const expand = ExpandQuery(['product']);

const ListPricesQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  projectId: Optional(Uuid()),
  productId: Optional(Uuid()),
  billingMode: Optional(OneOf(BILLING_MODES)),
  lookupKey: Optional({
    ...List(Text({ max: 200 }), { max: 10 }),
    description: 'May be given several times.',
  }),
  isActive: Optional(Flag()),
  metadata: MetadataTerms,
});

export function priceRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tag = 'Prices';
  const expansionsOf = (merchantId: string): Expansions<Price> => ({
    product: { idOf: ({ productId }) => productId, load: (ids) => loadProducts(db, merchantId, ids) },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/prices',
    id: 'createPrice',
    sdk: 'prices.create',
    assistant: { write: { refused: ['trialDays'] } },
    tag,
    summary: 'Create a price',
    description: 'The amount and terms of a price never change; create another price for other terms.',
    scopes: ['billing:write'],
    verified: true,
    body: CreatePriceBody,
    idempotency: 'text',
    success: { status: 201, schema: PriceView, description: 'The new price.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'LOOKUP_KEY_TAKEN'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createPrice', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const price = await createPrice(tx, { ...body, merchantId, now });
        return { status: 201, text: serialize(presentPrice(price)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/prices',
    id: 'listPrices',
    sdk: 'prices.list',
    assistant: 'read',
    tag,
    summary: 'List prices',
    scopes: ['billing:read'],
    query: ListPricesQuery,
    csv: true,
    success: { status: 200, schema: Page('PricePage', ExpandedPriceView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        PriceView,
        (range) => listPrices(db, call.principal.merchantId, call.query, range),
        presentPrice,
        expansionsOf(call.principal.merchantId),
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/prices/{priceId}',
    id: 'getPrice',
    sdk: 'prices.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a price',
    scopes: ['billing:read'],
    query: Shape(undefined, { expand }),
    success: { status: 200, schema: ExpandedPriceView, description: 'The price as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal: { merchantId }, params, query }) {
      const price = await findPrice(db, { merchantId, id: params.priceId! });
      if (!price) throw new AppError('NOT_FOUND');
      return presentExpanded(price, presentPrice, query.expand, expansionsOf(merchantId));
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/prices/{priceId}',
    id: 'updatePrice',
    sdk: 'prices.update',
    assistant: 'write',
    tag,
    summary: 'Update a price',
    description:
      'Its name, lookupKey and metadata, and whether it can be bought. Nothing else about a price ever changes.',
    scopes: ['billing:write'],
    body: PatchPriceBody,
    success: { status: 200, schema: PriceView, description: 'The price as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'LOOKUP_KEY_TAKEN'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.priceId!, actor, change: body, now: clock.now() };
      return presentPrice(await db.transaction((tx) => patchPrice(tx, input)));
    },
  });
}
