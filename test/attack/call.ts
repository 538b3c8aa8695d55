import { request } from 'node:http';
import { connect } from 'node:net';
import { parseJson, stringifyJson } from '../../src/platform/lib/json.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: attacks reach into answers freely.
  body: any;
}

export interface CallOptions {
  method?: string;
  /** Sent unchanged: nothing tidies it up on the way. */
  path: string;
  /** Text and bytes go out as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Person whose loopback address the call comes from. */
  from?: string;
}

/** Plain HTTP without a browser's or a client library's good manners. */
export function send(url: string, options: CallOptions): Promise<Answer> {
  const { method = 'GET', path, body, headers = {}, from = '127.0.0.1' } = options;
  const { hostname, port } = new URL(url);
  const bytes = body === undefined ? undefined : bytesOf(body);
  const type = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const call = request(
      { hostname, port, method, path, headers: { ...type, ...headers }, localAddress: from, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json');
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: response.headers, text, body: isJson ? parseJson(text) : undefined });
        });
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(bytes);
  });
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : stringifyJson(body));
}

/** Writes bytes to the port and answers whatever comes back until the service hangs up. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('close', () => resolve(heard));
    // Hung up on: what was heard until then counts.
    socket.on('error', () => resolve(heard));
  });
}

/** Opens streams and keeps them: how many were let in, and how to end them. */
export async function openStreams(url: string, path: string, count: number, from: string) {
  const { hostname, port } = new URL(url);
  const calls = Array.from({ length: count }, () =>
    request({
      hostname,
      port,
      path,
      localAddress: from,
      agent: false,
      headers: { accept: 'text/event-stream' },
    }),
  );
  const statuses = await Promise.all(
    calls.map(
      (call) =>
        new Promise<number>((resolve) => {
          call.on('response', (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          });
          call.on('error', () => resolve(0));
          call.end();
        }),
    ),
  );
  return {
    opened: statuses.filter((status) => status === 200).length,
    close: () => {
      for (const call of calls) call.destroy();
    },
  };
}
