import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms, NewMetadata } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Name, Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { createProduct } from './create-product.ts';
import { productImageRoutes } from './image-routes.ts';
import { patchProduct } from './patch-product.ts';
import { ProductView, presentProduct } from './present.ts';
import { findProductRow, listProducts } from './queries.ts';

const CreateProductBody = Shape('CreateProductRequest', {
  projectId: Uuid(),
  name: Name(),
  description: Optional(Nullable(Text({ max: 2_000, lines: true }))),
  metadata: NewMetadata,
});

const PatchProductBody = Shape('UpdateProductRequest', {
  name: Optional(Name()),
  description: Optional(Nullable(Text({ max: 2_000, lines: true }))),
  isActive: Optional(Flag('false: none of its prices can be bought.')),
  metadata: ChangedMetadata,
});

const ListProductsQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  isActive: Optional(Flag()),
  metadata: MetadataTerms,
});

export interface CatalogRoutes {
  db: Database;
  clock: Clock;
}

export function productRoutes(app: App, parts: CatalogRoutes): void {
  const { db, clock } = parts;
  const tag = 'Products';
  productImageRoutes(app, parts);

  billingRoute(app, {
    method: 'POST',
    path: '/products',
    id: 'createProduct',
    sdk: 'products.create',
    assistant: 'write',
    tag,
    summary: 'Create a product',
    scopes: ['billing:write'],
    verified: true,
    body: CreateProductBody,
    idempotency: 'text',
    success: { status: 201, schema: ProductView, description: 'The new product.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createProduct', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const product = await createProduct(tx, { ...body, merchantId, now });
        return { status: 201, text: serialize(presentProduct(product)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/products',
    id: 'listProducts',
    sdk: 'products.list',
    assistant: 'read',
    tag,
    summary: 'List products',
    scopes: ['billing:read'],
    query: ListProductsQuery,
    csv: true,
    success: { status: 200, schema: Page('ProductPage', ProductView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        ProductView,
        (range) => listProducts(db, call.principal.merchantId, call.query, range),
        presentProduct,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/products/{productId}',
    id: 'getProduct',
    sdk: 'products.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a product',
    scopes: ['billing:read'],
    success: { status: 200, schema: ProductView, description: 'The product as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const product = await findProductRow(db, { merchantId: principal.merchantId, id: params.productId! });
      if (!product) throw new AppError('NOT_FOUND');
      return presentProduct(product);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/products/{productId}',
    id: 'updateProduct',
    sdk: 'products.update',
    assistant: 'write',
    tag,
    summary: 'Update a product',
    description: 'Changes only the fields you send; null clears.',
    scopes: ['billing:write'],
    body: PatchProductBody,
    success: { status: 200, schema: ProductView, description: 'The product as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.productId!, actor, change: body, now: clock.now() };
      return presentProduct(await db.transaction((tx) => patchProduct(tx, input)));
    },
  });
}
