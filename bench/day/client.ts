import { request as openStream } from 'node:http';
import { Agent, request } from 'undici';

export interface Ask {
  method?: 'GET' | 'POST';
  path: string;
  key?: string;
  cookie?: string;
  accept?: string;
  body?: object;
  idempotent?: boolean;
}

export interface Client {
  /** Requests that are not answered yet. */
  underWay(): number;
  /** The text of the answer; anything but `expected` is an error. */
  ask(ask: Ask, expected?: number): Promise<string>;
  /** Follows the changes of a page as a browser does: `told` is called for each, `failed` when the stream ends before it is closed. */
  follow(path: string, told: (version: string) => void, failed: (why: Error) => void): { close(): void };
}

const CONNECTIONS = 256;
const TIMEOUT_MS = 30_000;

export function createClient(url: string): Client {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  let underWay = 0;
  const send = async (
    { method = 'GET', path, key, cookie, accept, body, idempotent }: Ask,
    expected: number,
  ) => {
    const { statusCode, body: answer } = await request(url + path, {
      dispatcher,
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(cookie && { cookie }),
        ...(accept && { accept }),
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotent && { 'idempotency-key': crypto.randomUUID() }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    if (statusCode !== expected) throw new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 300)}`);
    return text;
  };
  return {
    underWay: () => underWay,
    async ask(ask, expected = 200) {
      underWay++;
      try {
        return await send(ask, expected);
      } finally {
        underWay--;
      }
    },
    follow(path, told, failed) {
      let isClosed = false;
      const fail = (why: string) => {
        if (!isClosed) failed(new Error(`${path}: ${why}`));
      };
      const options = { agent: false, headers: { accept: 'text/event-stream' } } as const;
      const going = openStream(url + path, options, (answer) => {
        if (answer.statusCode !== 200) fail(`answered ${answer.statusCode}`);
        answer.setEncoding('utf8');
        answer.on('close', () => fail('the stream ended'));
        answer.on('data', (text: string) => {
          const version = /event: version\ndata: (.*)\n/.exec(text)?.[1];
          if (version !== undefined) told(version);
        });
      });
      going.on('error', (error) => fail(error.message));
      going.end();
      return {
        close() {
          isClosed = true;
          going.destroy();
        },
      };
    },
  };
}
