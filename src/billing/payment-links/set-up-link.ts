import type { Tx } from '../../platform/db/database.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { createPrice } from '../catalog/create-price.ts';
import { createProduct } from '../catalog/create-product.ts';
import type { Price, PriceTerms } from '../catalog/price.ts';
import type { Product } from '../catalog/product.ts';
import { createLink, type LinkTerms } from './create-link.ts';
import type { PaymentLink } from './link.ts';

export interface SetUpLink {
  merchantId: string;
  projectId: string;
  productName: string;
  unitAmountCents: Cents;
  price: PriceTerms;
  terms: LinkTerms;
  /** The link's. */
  metadata?: Metadata | undefined;
  allowLoopback: boolean;
  now: Date;
}

/** Product, price and link in one step: all three, or none. */
export async function setUpLink(
  tx: Tx,
  input: SetUpLink,
): Promise<{ product: Product; price: Price; link: PaymentLink }> {
  const { merchantId, projectId, now } = input;
  const product = await createProduct(tx, { merchantId, projectId, name: input.productName, now });
  const price = await createPrice(tx, {
    merchantId,
    projectId,
    productId: product.id,
    unitAmountCents: input.unitAmountCents,
    ...input.price,
    now,
  });
  const { terms, metadata, allowLoopback } = input;
  const sold = { merchantId, projectId, priceId: price.id };
  const link = await createLink(tx, { ...sold, terms, metadata, allowLoopback, now });
  return { product, price, link };
}
