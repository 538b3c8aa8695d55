import assert from 'node:assert';
import { parseMetadataTerm } from '../lib/metadata.ts';

/** The conditions of a list, each with its value as a parameter; undefined values add none. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** `text` has a ? where the value goes. */
  add(text: string, value: unknown): this {
    if (value !== undefined) this.#texts.push(text.replace('?', this.place(value)));
    return this;
  }

  /**
   * The bounds of a page. The lower one is left out where it bounds nothing: of two bounds that it does not know, the
   * planner expects few rows between them, so in long tables it would plan each page again.
   */
  within(id: string, { beforeId, fromId }: { beforeId: string; fromId: string }): this {
    this.add(`${id} < ?`, beforeId);
    return fromId > BELOW_ALL_IDS ? this.add(`${id} >= ?`, fromId) : this;
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

  /** The number of rows of a page, as a value of the statement. */
  limit(rows: number): Limit {
    return { place: this.place(rows), rows };
  }

  /**
   * The newest `limit` rows of a table that meet the conditions, to select from. The plain number tells the planner how few
   * they are: of a parameter it expects a tenth of the table, so it would find its general plan expensive and plan each page again.
   */
  newest(table: string, alias: string, limit: Limit): string {
    return `(select * from (select ${alias}.* from ${table} ${alias} where ${this.where} order by ${alias}.id desc limit ${mostOf(limit)}) ${alias}
              order by id desc limit ${limit.place}) ${alias}`;
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
    limit: Limit,
  ): this {
    if (values === undefined) return this;
    const id = `${alias}.id`;
    const most = mostOf(limit);
    this.#texts.push(
      // An array is computed only once, and the rows are fetched by their key.
      `${id} = any(array(select newest.id from unnest(${this.place(values)}::text[]) as one(value) cross join lateral (
         select id from (select ${id} from ${table} ${alias} where ${this.where} and ${alias}.${column} = one.value
                          order by ${id} desc limit ${most}) ${alias}
          order by id desc limit ${limit.place}) as newest))`,
    );
    return this;
  }

  /**
   * Adds that the row's metadata has each of these terms. Common ones are found among the newest rows; only when those
   * do not fill the page is the index asked, which then has few rows to read. The conditions so far hold inside too,
   * so it comes after them; they name nothing but the table.
   */
  addMetadata(
    table: string,
    alias: string,
    { merchantId, beforeId, fromId, metadata }: MetadataSearch,
    limit: Limit,
  ): this {
    if (metadata === undefined) return this;
    const terms = metadata.map(toTerm);
    const [merchant, before, from] = [merchantId, beforeId, fromId].map((value) => this.place(value));
    const own = terms.map((term) => `${alias}.metadata @> ${this.place(JSON.stringify(term))}::jsonb`);
    const indexed = terms.map((term) => {
      const place = this.place(JSON.stringify({ [merchantId]: term }));
      return `jsonb_set('{}', array[${alias}.merchant_id::text], ${alias}.metadata) @> ${place}::jsonb`;
    });
    const bounds = `${alias}.merchant_id = ${merchant} and ${alias}.id < ${before} and ${alias}.id >= ${from}`;
    this.#texts.push(`
      ${alias}.id = any(array(
        with newest as materialized (
          select ${alias}.id
            from (select * from ${table} ${alias} where ${bounds} order by ${alias}.id desc limit ${NEWEST}) ${alias}
           where ${this.where} and ${own.join(' and ')} order by ${alias}.id desc limit ${limit.place}
        )
        select id from newest
        union all
        select ${alias}.id
          from (select * from ${table} ${alias} where ${alias}.metadata <> '{}' and ${indexed.join(' and ')} offset 0) ${alias}
         where (select count(*) from newest) < ${limit.place} and ${this.where}))`);
    return this;
  }
}

/** How many rows a page may have, and where the statement has that number as a value. */
export interface Limit {
  place: string;
  rows: number;
}

const mostOf = ({ rows }: Limit) => Math.max(rows, MAX_OF_A_PAGE);

export interface MetadataSearch {
  merchantId: string;
  beforeId: string;
  fromId: string;
  /** Each as `key:value`. */
  metadata: readonly string[] | undefined;
}

function toTerm(text: string): Record<string, string> {
  const term = parseMetadataTerm(text);
  assert(term, 'a term has been checked where it was read');
  return { [term.key]: term.value };
}

const BELOW_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** One more than the longest page, as every list reads it. */
const MAX_OF_A_PAGE = 101;

/** How many of the newest rows are looked at first. What they hold less than a page of is left to the index. */
const NEWEST = 5_000;
