import type { TUnsafe } from 'typebox';
import {
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE_LENGTH,
  type Metadata,
  type MetadataChange,
} from '../lib/metadata.ts';
import { List, Optional, Text } from './schema.ts';

const KEY = {
  minLength: 1,
  maxLength: MAX_METADATA_KEY_LENGTH,
  format: 'text',
  // A plain assignment of this name sets a prototype, in every JavaScript that reads it.
  pattern: '^(?!__proto__$)',
  description: 'this name is reserved',
};
const VALUE = { maxLength: MAX_METADATA_VALUE_LENGTH, format: 'text-lines' };

/** Metadata in an answer. The serializer writes every key it finds. */
export const MetadataView = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Your own keys and values. Customers never see them.',
  examples: [{ orderNumber: '1001' }],
} as unknown as TUnsafe<Metadata>;

/** Metadata of a new object. */
export const NewMetadata = Optional({
  type: 'object',
  maxProperties: MAX_METADATA_KEYS,
  propertyNames: KEY,
  additionalProperties: { type: 'string', ...VALUE },
  description: `Your own keys and values: up to ${MAX_METADATA_KEYS} keys of 1 to ${MAX_METADATA_KEY_LENGTH} characters, values of up to ${MAX_METADATA_VALUE_LENGTH}.`,
  examples: [{ orderNumber: '1001' }],
} as unknown as TUnsafe<Metadata>);

/** Metadata in a change, which may replace every key. */
export const ChangedMetadata = Optional({
  type: 'object',
  maxProperties: 2 * MAX_METADATA_KEYS,
  propertyNames: KEY,
  additionalProperties: { type: ['string', 'null'], ...VALUE },
  description: 'The keys to set; null removes one, and keys you leave out stay.',
  examples: [{ orderNumber: '1001' }],
} as unknown as TUnsafe<MetadataChange>);

const TERM_LENGTH = MAX_METADATA_KEY_LENGTH + 1 + MAX_METADATA_VALUE_LENGTH;

/** Metadata filter of a list: only objects that have all of these. */
export const MetadataTerms = Optional({
  ...List(
    {
      ...Text({ min: 2, max: TERM_LENGTH, lines: true, description: 'key:value' }),
      pattern: `^[^:]{1,${MAX_METADATA_KEY_LENGTH}}:`,
      examples: ['orderNumber:1001'],
    },
    { max: 10 },
  ),
  description:
    'Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times.',
});
