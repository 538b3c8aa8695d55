import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import type { TaxBehavior } from '../tax-rates/tax-rate.ts';
import { checkTax } from './check-tax.ts';
import { type Price, type PriceTerms, termsOf } from './price.ts';
import { findProductRow, insertPrice } from './queries.ts';

export interface CreatePrice extends PriceTerms {
  merchantId: string;
  projectId: string;
  productId: string;
  name?: string | null | undefined;
  lookupKey?: string | null | undefined;
  unitAmountCents: bigint;
  taxBehavior?: TaxBehavior | undefined;
  taxRateId?: string | null | undefined;
  metadata?: Metadata | undefined;
  now: Date;
}

/** A new price of a product. Its amount and terms never change: other terms need another price. */
export async function createPrice(tx: Tx, input: CreatePrice): Promise<Price> {
  const { merchantId } = input;
  const terms = termsOf(input);
  const project = await requireActiveProject(tx, { merchantId, id: input.projectId });
  const product = await findProductRow(tx, { merchantId, id: input.productId, projectId: project.id });
  if (!product) throw badField('productId', 'must be the id of a product of this project');
  const tax = { taxBehavior: input.taxBehavior ?? 'none', taxRateId: input.taxRateId?.toLowerCase() ?? null };
  await checkTax(tx, { merchantId, projectId: project.id }, tax);
  const price: Price = {
    id: newId(input.now),
    merchantId,
    projectId: project.id,
    productId: product.id,
    name: input.name ?? null,
    lookupKey: input.lookupKey ?? null,
    unitAmountCents: input.unitAmountCents,
    currency: 'USD',
    ...terms,
    ...tax,
    isActive: true,
    metadata: newMetadata(input.metadata),
    createdAt: input.now,
  };
  if (!(await insertPrice(tx, price))) throw new AppError('LOOKUP_KEY_TAKEN');
  return price;
}
