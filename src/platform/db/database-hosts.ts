import pg from 'pg';
import { NoHostUsable } from './database-errors.ts';

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(\?.*)?$/;
const WRITING = ['any', 'read-write', 'primary'];

/** One URL for each host in `postgres://user:secret@one:5432,two:5432/name`. Throws what is wrong with it. */
export function urlsOfHosts(url: string): string[] {
  const [, start, hosts, path, search] = PARTS.exec(url) ?? [];
  if (start === undefined) throw new Error('must be a URL that starts with postgres:// or postgresql://');
  const parameters = new URLSearchParams(search);
  const attributes = parameters.get('target_session_attrs');
  if (attributes !== null && !WRITING.includes(attributes))
    throw new Error(`target_session_attrs must be read-write, because the service writes`);
  const others = (search ?? '')
    .slice(1)
    .split('&')
    .filter((one) => !/^(target_session_attrs=|$)/.test(one));
  const rest = others.length > 0 ? `?${others.join('&')}` : '';
  const urls = hosts!.split(',').map((host) => `${start}${host}${path}${rest}`);
  if (urls.length > 1 && hosts!.split(',').includes('')) throw new Error('has an empty host between commas');
  if (!urls.every((one) => URL.canParse(one))) throw new Error('has a host or port that cannot be read');
  return urls;
}

/** `one:5432, two:5432`, for people. */
export function hostsText(urls: readonly string[]): string {
  return urls.map((url) => new URL(url).host || 'DATABASE_URL').join(', ');
}

interface Place {
  host: string;
  port: number;
}

const placeOf = ({ host, port }: Place) => `${host}:${port}`;

/**
 * Several hosts, one of which takes writes; this may change at any time. Connections go to the one that last took
 * them.
 */
export class DatabaseHosts {
  readonly #urls: readonly string[];
  readonly #places: readonly string[];
  readonly #pool: pg.Pool;
  #current = 0;

  constructor(pool: pg.Pool, urls: readonly string[]) {
    this.#pool = pool;
    this.#urls = urls;
    this.#places = urls.map((connectionString) => placeOf(new pg.Client({ connectionString })));
    pool.options.onConnect = (client) => requireWritable(client, pool.options.connectionTimeoutMillis!);
    pool.options.connectionString = urls[0]!;
  }

  /** Tries each host once, beginning with the one that took writes last. */
  async connect(): Promise<pg.PoolClient> {
    const failed: { place: string; reason: unknown }[] = [];
    for (;;) {
      const tried = this.#current;
      try {
        const client = await this.#pool.connect();
        if (placeOf(client as unknown as Place) === this.#places[this.#current]) return client;
        // The connection is to a host that was left since.
        client.release(true);
      } catch (error) {
        if (isPoolBusy(error)) throw error;
        failed.push({ place: this.#places[tried]!, reason: error });
        if (failed.length === this.#urls.length) throw new NoHostUsable(failed);
        this.#leave(tried);
      }
    }
  }

  /** Only once for all that failed at the same host. */
  #leave(tried: number): void {
    if (tried !== this.#current) return;
    this.#current = (tried + 1) % this.#urls.length;
    this.#pool.options.connectionString = this.#urls[this.#current]!;
  }
}

/**
 * A standby, or a server that was set to take no writes, is no server for us. Nor is one that freezes just after it has
 * let us in: the pool itself waits for nothing any more by then.
 */
async function requireWritable(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query({
    text: `select current_setting('transaction_read_only')::boolean as is_read_only`,
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  if (rows[0].isReadOnly) throw new Error(`${placeOf(client as unknown as Place)} takes no writes`);
}

/** All connections are in use, which says nothing about the host. */
function isPoolBusy(error: unknown): boolean {
  return (error as Error).message === 'timeout exceeded when trying to connect';
}
