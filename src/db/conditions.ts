/** The conditions of a list whose filters are all optional, with the values they compare to. */
export class Conditions {
  readonly values: unknown[];
  readonly #parts: string[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.#parts = [...parts];
    this.values = [...values];
  }

  /** Adds a condition whose `?` stands for the value, unless there is none. */
  where(condition: string, value: unknown): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.#parts.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  toString(): string {
    return this.#parts.join(' and ');
  }
}
