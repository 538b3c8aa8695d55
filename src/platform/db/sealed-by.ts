import { ID_BYTES, SEALED_WITH_ID } from '../lib/secret-box.ts';

const PREFIX_BYTES = 1 + ID_BYTES;

/** Prefixes of what these keys sealed, as the first parameter of a statement. */
export const sealPrefixes = (keyIds: readonly string[]): Buffer[] =>
  keyIds.map((id) => Buffer.concat([Buffer.of(SEALED_WITH_ID), Buffer.from(id, 'hex')]));

/** SQL: none of the keys in `$1` opens what is in the column. */
export const sealedOtherwise = (column: string): string =>
  `coalesce(substring(${column} from 1 for ${PREFIX_BYTES}) <> all($1::bytea[]), false)`;
