import { MAX_IMAGE_BYTES, UPLOAD_TYPES } from '../../accounts/images/image.ts';
import { newImage } from '../../accounts/images/store-image.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { changeProductImage } from './change-product-image.ts';
import { ProductView, presentProduct } from './present.ts';

export interface ProductImageRoutes {
  db: Database;
  clock: Clock;
}

export function productImageRoutes(app: App, { db, clock }: ProductImageRoutes): void {
  const tag = 'Products';

  billingRoute(app, {
    method: 'PUT',
    path: '/products/{productId}/image',
    id: 'setProductImage',
    sdk: 'products.setImage',
    assistant: { withheld: FILE },
    tag,
    summary: 'Set a product’s image',
    description:
      'The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. Buyers see it beside the product. The same image again changes nothing.',
    scopes: ['billing:write'],
    upload: { types: UPLOAD_TYPES, limitBytes: MAX_IMAGE_BYTES },
    success: { status: 200, schema: ProductView, description: 'The product as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, upload }) {
      const image = newImage(upload);
      const product = await db.transaction((tx) =>
        changeProductImage(tx, principal, params.productId!, image, clock.now()),
      );
      return presentProduct(product);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/products/{productId}/image',
    id: 'removeProductImage',
    sdk: 'products.removeImage',
    assistant: { withheld: FILE },
    tag,
    summary: 'Remove a product’s image',
    description: 'Also 204 if it has none.',
    scopes: ['billing:write'],
    success: { status: 204, description: 'The product has no image.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      await db.transaction((tx) => changeProductImage(tx, principal, params.productId!, null, clock.now()));
    },
  });
}
