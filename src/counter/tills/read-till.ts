import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { findTerminalAnywhere } from '../../accounts/terminals/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { Int32, List, Nullable, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { csrfTokenOf, type PairedTill } from './till.ts';

export const OwnTillView = Shape(undefined, {
  id: Uuid(),
  name: Nullable(Text()),
  seller: Nullable(Text()),
  terminalName: Nullable(Text()),
  tipPercents: List(Int32()),
  csrfToken: Text(),
});

/** Answers the first call of a till whenever it starts. */
export async function readTill(db: Queryable, till: PairedTill, cookie: string) {
  const { id, merchantId, projectId, terminalId, name, tipPercents } = till;
  const [brand, terminal] = await Promise.all([
    readProjectBrand(db, { merchantId, id: projectId }),
    findTerminalAnywhere(db, terminalId),
  ]);
  return {
    ...{ id, name, tipPercents },
    seller: brand.name,
    terminalName: terminal!.name,
    csrfToken: csrfTokenOf(cookie),
  };
}
