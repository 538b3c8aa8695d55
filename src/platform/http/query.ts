/** More than any list takes, even with every filter repeated. */
export const MAX_PARAMETERS = 100;

export type Query = Record<string, string | string[]>;

/**
 * The query string as an object: a repeated name becomes an array. What cannot be decoded is stored under a name that
 * no schema knows, so it is refused wherever it was sent. Reading stops at the limit, so the work is bounded whatever was
 * sent.
 */
export function parseQuery(text: string): Query {
  const query = new NoParameters();
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('&', from);
    const end = next < 0 ? text.length : next;
    if (end > from) {
      if (++count > MAX_PARAMETERS) {
        overfull.add(query);
        break;
      }
      addParameter(query, text.slice(from, end));
    }
    from = end + 1;
  }
  return query;
}

/** Without a prototype, whose names a caller could send. Made by a constructor, so that V8 does not keep each as a hash table. */
const NoParameters = function NoParameters() {} as unknown as new () => Query;
NoParameters.prototype = Object.create(null);

/** The parser cannot refuse a request; the handler checks here. */
export function hasTooManyParameters(query: unknown): boolean {
  return overfull.has(query as Query);
}

const overfull = new WeakSet<Query>();

function addParameter(query: Query, part: string): void {
  const at = part.indexOf('=');
  const name = decode(at < 0 ? part : part.slice(0, at));
  const value = decode(at < 0 ? '' : part.slice(at + 1));
  if (name === undefined || value === undefined) {
    query[UNREADABLE] = '';
    if (!unreadable.has(query)) unreadable.set(query, name);
    return;
  }
  const before = query[name];
  if (before === undefined) query[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else query[name] = [before, value];
}

export const UNREADABLE = '(unreadable)';

/** The first parameter of each query that cannot be decoded; undefined where that is its name. */
const unreadable = new WeakMap<Query, string | undefined>();

/** Names a parameter that cannot be decoded, and what is wrong with it. */
export function unreadableIn(query: unknown): { field: string; problem: string } | undefined {
  if (!unreadable.has(query as Query)) return undefined;
  const name = unreadable.get(query as Query);
  if (!name) return { field: 'query', problem: 'has a parameter whose name is unreadable' };
  return { field: name.slice(0, 100), problem: UNREADABLE_VALUE };
}

const UNREADABLE_VALUE = 'has an unreadable value: it must be UTF-8 text without a null character';

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
