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

  /** Sets an entry and makes it the newest, also if it was there before. */
  renew(key: Key, value: Value): this {
    this.delete(key);
    return this.set(key, value);
  }
}
