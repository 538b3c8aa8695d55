/**
 * Queue that serves those who wait in turns, one item each: however much one of them has added, each other waits for
 * one of its turns only. In a path of several names, those with the same beginning share the turns of that beginning.
 */
export class Turns<Item> {
  readonly #queue: Item[] = [];
  /** Keys of those who wait; the next comes first. */
  readonly #parts = new Map<string, Turns<Item>>();

  get isEmpty(): boolean {
    return this.#queue.length === 0 && this.#parts.size === 0;
  }

  add([name, ...rest]: readonly string[], item: Item): void {
    if (name === undefined) {
      this.#queue.push(item);
      return;
    }
    const part = this.#parts.get(name) ?? new Turns<Item>();
    this.#parts.set(name, part);
    part.add(rest, item);
  }

  /** Takes out the one whose turn it is. */
  next(): Item | undefined {
    if (this.#queue.length > 0) return this.#queue.shift();
    const [first] = this.#parts;
    if (!first) return undefined;
    const [name, part] = first;
    const item = part.next();
    this.#parts.delete(name);
    if (!part.isEmpty) this.#parts.set(name, part);
    return item;
  }
}
