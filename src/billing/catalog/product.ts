import { boolean, json, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Metadata } from '../../platform/lib/metadata.ts';

export const products = table(
  'products',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    name: text,
    description: nullable(text),
    isActive: withDefault(boolean),
    /** File name in `logos`. */
    imageFile: nullable(text),
    metadata: withDefault(json<Metadata>()),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Product = RowOf<typeof products>;
