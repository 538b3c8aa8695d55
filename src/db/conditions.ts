/** What a list asks for: each condition with its value as a parameter, and none for a value that is undefined. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** `text` has a ? where the value goes. */
  add(text: string, value: unknown): this {
    if (value !== undefined) this.#texts.push(text.replace('?', this.place(value)));
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
}
