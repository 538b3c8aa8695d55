/** Map that forgets its oldest entry when another one would be too many. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#maxSize && !this.has(key)) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }

  /** Returns the value of a key, made and kept the first time. */
  getOrMake(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  /** Sets an entry and makes it the newest, also if it was there before. */
  renew(key: Key, value: Value): this {
    this.delete(key);
    return this.set(key, value);
  }
}
