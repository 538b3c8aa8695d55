import type { Queryable } from '../../platform/db/database.ts';
import type { Brand } from '../merchants/read-brand.ts';
import { findBrand } from './queries.ts';

export interface ProjectBrand extends Brand {
  /** Address for buyers to write to; only projects have one. */
  supportEmail: string | null;
}

/** How a project shows itself to customers: its own name, colour and logo, and the merchant's for whatever it has not set. */
export async function readProjectBrand(
  db: Queryable,
  ref: { merchantId: string; id: string | null },
): Promise<ProjectBrand> {
  return (await findBrand(db, ref)) ?? { name: null, brandColor: null, logoFile: null, supportEmail: null };
}
