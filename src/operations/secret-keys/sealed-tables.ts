/** A table with columns that hold sealed values. */
export interface SealedTable {
  name: string;
  /** Its primary key. */
  key: string;
  keyType: 'uuid' | 'boolean';
  columns: readonly string[];
}

/**
 * Everything in the database that the secret key seals. A new sealed column is a line here; a test compares the list
 * with the schema, because what is missing would be lost when the old key is retired. Preview tokens are sealed too,
 * but never stored: they are valid for 15 minutes.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { name: 'installation', key: 'only_row', keyType: 'boolean', columns: ['sealed_check'] },
  {
    name: 'merchants',
    key: 'id',
    keyType: 'uuid',
    columns: ['webhook_secret', 'previous_webhook_secret'],
  },
  { name: 'webhook_endpoints', key: 'id', keyType: 'uuid', columns: ['secret', 'previous_secret'] },
  // Only while an e-mail waits to be sent.
  { name: 'emails', key: 'id', keyType: 'uuid', columns: ['sealed_link'] },
];
