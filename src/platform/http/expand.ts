import type { TObject } from 'typebox';
import { List, OneOf, Optional, Shape, type TSchema } from './schema.ts';

/** The query parameter with which a caller asks for related objects in the same answer. */
export function ExpandQuery<const Names extends readonly string[]>(names: Names) {
  return Optional({
    ...List(OneOf(names), { max: names.length }),
    description:
      'Related objects to include in the answer, each under its own name. May be given several times.',
  });
}

/** A shape with what can be included, each there only if it is requested. */
export function Expanded<Properties extends Record<string, TSchema>, More extends Record<string, TSchema>>(
  name: string,
  view: TObject<Properties>,
  more: More,
) {
  const included = Object.fromEntries(Object.entries(more).map(([key, schema]) => [key, Optional(schema)]));
  return Shape(name, { ...view.properties, ...included });
}

/** One kind of related object: by which id a row names it, and how many of them are read at once. */
export interface Expansion<Row> {
  idOf(row: Row): string | null;
  /** `inner` has what is to be included in each of them in turn. */
  load(ids: string[], inner: ReadonlySet<string>): Promise<ReadonlyMap<string, object>>;
}

export type Expansions<Row> = Readonly<Record<string, Expansion<Row>>>;

/** Loads the objects to add to each row: one query for each kind of related object, however many rows there are. */
export async function expandRows<Row>(
  rows: readonly Row[],
  wanted: readonly string[] | undefined,
  expansions: Expansions<Row>,
): Promise<object[]> {
  const innerOf = new Map<string, Set<string>>();
  for (const name of wanted ?? []) {
    const [outer, inner] = name.split('.') as [string, string | undefined];
    const names = innerOf.get(outer) ?? new Set();
    if (inner !== undefined) names.add(inner);
    innerOf.set(outer, names);
  }
  const added: Record<string, object | null>[] = rows.map(() => ({}));
  const addOne = async ([outer, inner]: [string, ReadonlySet<string>]) => {
    const { idOf, load } = expansions[outer]!;
    const ids = new Set(rows.flatMap((row) => idOf(row) ?? []));
    const found = ids.size === 0 ? undefined : await load([...ids], inner);
    rows.forEach((row, i) => {
      added[i]![outer] = found?.get(idOf(row) ?? '') ?? null;
    });
  };
  await Promise.all([...innerOf].map(addOne));
  return added;
}

/** One row with what is requested. */
export async function presentExpanded<Row>(
  row: Row,
  present: (row: Row) => object,
  wanted: readonly string[] | undefined,
  expansions: Expansions<Row>,
): Promise<object> {
  const [added] = await expandRows([row], wanted, expansions);
  return { ...present(row), ...added };
}

/** Maps rows, as presented, by their id. */
export function byId<Row extends { id: string }>(
  rows: readonly Row[],
  present: (row: Row) => object,
): Map<string, object> {
  return new Map(rows.map((row) => [row.id, present(row)]));
}
