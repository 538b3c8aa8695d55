import type { Answered } from './last-response.ts';

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  /** Start of the next page; give it as the query's cursor to continue later. */
  nextCursor: string | null;
}

/**
 * A list that is read as it is used: `for await` walks every item and asks for pages on the way, `await` gives the
 * first page. Nothing is asked before.
 */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<Answered<Page<Item>>> {
  readonly #ask: (cursor: string | undefined) => Promise<Answered<Page<Item>>>;
  readonly #start: string | undefined;

  constructor(ask: (cursor: string | undefined) => Promise<Answered<Page<Item>>>, start: string | undefined) {
    this.#ask = ask;
    this.#start = start;
  }

  /** The first page alone. */
  async page(): Promise<Answered<Page<Item>>> {
    return this.#ask(this.#start);
  }

  /** One page after the other. */
  async *pages(): AsyncGenerator<Answered<Page<Item>>, void, undefined> {
    let page = await this.page();
    yield page;
    while (page.hasMore && page.nextCursor !== null) {
      page = await this.#ask(page.nextCursor);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The items as an array, at most `limit` of them: say how many you are ready to hold. */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list requests its first page.
  then<Kept = Answered<Page<Item>>, Failed = never>(
    onPage?: ((page: Answered<Page<Item>>) => Kept | PromiseLike<Kept>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Kept | Failed> {
    return this.page().then(onPage, onError);
  }
}
