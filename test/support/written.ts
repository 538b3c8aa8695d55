/** Something that was acknowledged to a client, or that the database has: of which kind, by whose key, under which id. */
export interface Written {
  kind: string;
  /** Key that the client chose; one object has one key. */
  key: string;
  id: string;
}

export interface Comparison {
  /** Acknowledged, and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
}

const nameOf = ({ kind, key }: Written) => `${kind} ${key}`;

/** Compares what was acknowledged with what is stored: everything must be there, and nothing twice. */
export function compareWritten(acknowledged: readonly Written[], stored: readonly Written[]): Comparison {
  const found = Map.groupBy(stored, nameOf);
  const isThere = (one: Written) => found.get(nameOf(one))?.some(({ id }) => id === one.id) ?? false;
  return {
    lost: acknowledged.filter((one) => !isThere(one)).map(nameOf),
    doubled: [...found].filter(([, rows]) => rows.length > 1).map(([name]) => name),
  };
}

/** Numbers between 1 and the highest that nobody has, and numbers that two have. */
export function gapsOf(numbers: readonly number[]): number[] {
  const found: number[] = [];
  let last = 0;
  for (const number of numbers.toSorted((a, b) => a - b)) {
    if (number === last) found.push(number);
    for (let missing = last + 1; missing < number; missing++) found.push(missing);
    last = number;
  }
  return found;
}

/** An event, as it was written and as it arrived. */
export interface Notice {
  id: string;
  body: string;
}

/** Events that never arrived, and arrivals that say something else than the books, or that the books do not know. */
export function compareNotices(events: readonly Notice[], arrived: readonly Notice[]) {
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  const known = new Set(arrived.map(({ id }) => id));
  return {
    undelivered: events.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    wrong: arrived.filter(({ id, body }) => bodies.get(id) !== body).map(({ id }) => id),
  };
}
