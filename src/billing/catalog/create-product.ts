import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import { type Product, products } from './product.ts';

export interface CreateProduct {
  merchantId: string;
  projectId: string;
  name: string;
  description?: string | null | undefined;
  metadata?: Metadata | undefined;
  now: Date;
}

/** A new product, active right away. */
export async function createProduct(tx: Tx, input: CreateProduct): Promise<Product> {
  const { merchantId } = input;
  const project = await requireActiveProject(tx, { merchantId, id: input.projectId });
  const product: Product = {
    id: newId(input.now),
    merchantId,
    projectId: project.id,
    name: input.name,
    description: input.description ?? null,
    isActive: true,
    imageFile: null,
    metadata: newMetadata(input.metadata),
    createdAt: input.now,
  };
  await products.insert(tx, product);
  return product;
}
