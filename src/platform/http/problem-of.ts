import type { ErrorObject } from 'ajv/dist/2020.js';
import { MAX_INT64 } from '../lib/money.ts';
import { suggestName } from './suggest-name.ts';

/** Says what is wrong with a value, to follow its name in a sentence. */
export function problemOf({ keyword, params, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[schema].flat().map(withArticle).join(' or ')}`;
    case 'minLength':
    case 'maxLength':
      return lengthProblem(parentSchema as { minLength?: number; maxLength?: number });
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => value ?? 'null').join(', ')}`;
    case 'format':
      return FORMAT_TEXTS[params.format as string] ?? `must be a valid ${params.format}`;
    case 'int64':
    case 'queryInteger':
      return integerProblem(schema as Bounds);
    case 'timestamp':
      return FORMAT_TEXTS['date-time']!;
    case 'dayOrTime':
      return 'must be a date from 2000 to 2999, such as 2026-01-31, or a time with an offset, such as 2026-01-31T12:00:00.000Z';
    case 'queryBoolean':
      return 'must be true or false';
    case 'pattern':
      return formProblem(parentSchema as { description?: string });
    case 'maxProperties':
      return `must have at most ${counted(params.limit, 'property', 'properties')}`;
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`;
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'item')}`;
    case 'uniqueItems':
      return 'must not repeat an item';
    default:
      return 'is not valid';
  }
}

function lengthProblem({
  minLength: least = 0,
  maxLength: most,
}: {
  minLength?: number;
  maxLength?: number;
}) {
  if (most === undefined) return least === 1 ? 'must not be empty' : `must be at least ${least} characters`;
  if (least === most) return `must be ${counted(most, 'character')}`;
  return least === 0
    ? `must be at most ${counted(most, 'character')}`
    : `must be ${least} to ${most} characters`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

/** The description says what the field is for, so it follows the problem instead of replacing it. */
export function formProblem({ description }: { description?: string }): string {
  return description ? `has an invalid format (${description})` : 'has an invalid format';
}

/** Says which name was meant; and if the object has it permanently, that it cannot be changed. */
export function unknownName(
  name: string,
  where: string,
  known: readonly string[],
  fixed: readonly string[],
): string {
  if (fixed.includes(name)) return 'cannot be changed';
  const problem = where === 'query' ? 'is not a known parameter' : 'is not a known property';
  const meant = suggestName(name, known);
  if (meant !== undefined) return `${problem}. Did you mean ${meant}?`;
  const meantFixed = suggestName(name, fixed);
  return meantFixed === undefined ? problem : `${problem}. Did you mean ${meantFixed}? It cannot be changed.`;
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  return /^[aeio]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}

export interface Bounds {
  minimum?: number | bigint;
  maximum?: number | bigint;
  nullable: boolean;
  /** int32 stays a number; int64 becomes a bigint. */
  small?: boolean;
}

function integerProblem({ minimum, maximum }: Bounds): string {
  if (minimum === 1 && (maximum === undefined || BigInt(maximum) === MAX_INT64)) {
    return `must be an integer greater than 0 (at most ${MAX_INT64})`;
  }
  if (minimum !== undefined && minimum === maximum) return `must be ${minimum}`;
  return `must be an integer from ${minimum ?? -MAX_INT64 - 1n} to ${maximum ?? MAX_INT64}`;
}

const FORMAT_TEXTS: Record<string, string> = {
  uuid: 'must be a UUID',
  'date-time': 'must be an ISO 8601 date and time with an offset, such as 2026-01-31T12:00:00.000Z',
  email: 'must be an e-mail address, such as ann@shop.example',
  name: 'must have a visible character, and no control characters',
  text: 'must not contain control characters',
  'text-lines': 'must not contain control characters',
};
