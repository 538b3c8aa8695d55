/** Names one thing of a merchant's. */
export interface Ref {
  merchantId: string;
  id: string;
}

/** The same; if a project is named, what belongs to another one counts as missing. */
export interface ScopedRef extends Ref {
  projectId?: string;
}

/** Names the customer to whom something belongs. */
export interface CustomerRef {
  merchantId: string;
  customerId: string;
}

/** A batch can have several merchants: things are looked up by both ids. */
export function nameOf({ merchantId, id }: Ref): string {
  return `${merchantId} ${id}`;
}

export function byName<Row extends Ref>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Returns references to the things that these rows name in one field, each once. */
export function distinctRefs<Field extends string>(
  rows: readonly ({ merchantId: string } & Record<Field, string>)[],
  field: Field,
): Ref[] {
  return [...byName(rows.map((row) => ({ merchantId: row.merchantId, id: row[field] }))).values()];
}
