/** The conditions of a list, each with its value as a parameter; undefined values add none. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** `text` has a ? where the value goes. */
  add(text: string, value: unknown): this {
    if (value !== undefined) this.#texts.push(text.replace('?', this.place(value)));
    return this;
  }

  /** A condition without a value, which must not hold anything a caller said. */
  addFact(text: string): this {
    this.#texts.push(text);
    return this;
  }

  /** The place of one more value, outside the conditions. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  get where(): string {
    return this.#texts.join(' and ');
  }

  /**
   * Adds that the row is one of the newest `limit` of some value of a column, each found for itself: with an index on
   * merchant, column and id, values that few rows have are found as fast as those of many. The conditions so far
   * hold inside too, so it comes last.
   */
  addNewestOf(
    table: string,
    alias: string,
    column: string,
    values: readonly string[] | undefined,
    limit: string,
  ): this {
    if (values === undefined) return this;
    const id = `${alias}.id`;
    this.#texts.push(
      // As an array it is worked out once, and the rows are fetched by their key.
      `${id} = any(array(select newest.id from unnest(${this.place(values)}::text[]) as one(value) cross join lateral (
         select ${id} from ${table} ${alias} where ${this.where} and ${alias}.${column} = one.value
          order by ${id} desc limit ${limit}) as newest))`,
    );
    return this;
  }
}
