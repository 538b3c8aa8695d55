import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringifyJson } from '../encoding/json.ts';
import {
  type Answering,
  answerRequest,
  type Incoming,
  type RpcRequest,
  readRequests,
} from './answer-requests.ts';
import { SANDBOX_PREFIX } from './sandbox-methods.ts';

const MAX_BODY_BYTES = 50 * 1024;

/** Browsers may call from anywhere, as with a public node. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
  // A page from the internet that calls this machine needs to be let in by name.
  'access-control-allow-private-network': 'true',
};

export interface ListenAt {
  host: string;
  /** 0: any free one. */
  port: number;
}

/** JSON-RPC over HTTP, with the switches for what can break between a caller and a node. */
export async function startHttpFace({ host, port }: ListenAt, answering: Answering): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response, answering).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(`port ${port} of ${host} is already in use`, { cause: error });
    throw error;
  });
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, CORS).end();
    return;
  }
  if (request.method === 'GET' && request.url === '/health') return end(response, 200, 'ok', 'text/plain');
  if (request.method !== 'POST')
    return end(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n', 'text/plain');
  if (!request.headers['content-type']?.startsWith('application/json'))
    return end(
      response,
      415,
      'Supplied content type is not allowed. Content-Type: application/json is required\n',
      'text/plain',
    );
  const body = await readBody(request);
  if (body === undefined) return end(response, 413, 'Payload too large\n', 'text/plain');
  const incoming = readRequests(body);
  if ('unreadable' in incoming) return end(response, 200, stringifyJson(incoming.unreadable));
  await answer(incoming, response, answering);
}

/** Undefined when there is more of it than anybody needs. Plain events: an iterator costs as much as the call. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the caller went away')));
  });
}

async function answer(
  incoming: Exclude<Incoming, { unreadable: object }>,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  const requests = Array.isArray(incoming) ? incoming : [incoming];
  if (requests.length === 0) return end(response, 200);
  const struck = requests.filter(({ method }) => !method.startsWith(SANDBOX_PREFIX));
  if (await breaksBefore(struck, response, answering)) return;
  const answers = await Promise.all(requests.map((request) => answerRequest(request, answering)));
  const text = stringifyJson(Array.isArray(incoming) ? answers : answers[0]);
  end(response, 200, garbled(text, struck, answering));
}

/** True if a fault has settled the matter before the node got to see the call. */
async function breaksBefore(
  requests: readonly RpcRequest[],
  response: ServerResponse,
  { faults }: Answering,
): Promise<boolean> {
  for (const { method } of requests) {
    if (faults.strike('hang', method)) return true;
    const slow = faults.strike('latency', method);
    if (slow) await sleep(slow.effect.ms);
    if (faults.strike('cutConnection', method)) {
      response.destroy();
      return true;
    }
    const limit = faults.strike('rateLimit', method);
    if (limit) {
      response.setHeader('retry-after', limit.effect.retryAfterSeconds ?? 1);
      end(response, 429, '{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests"},"id":null}');
      return true;
    }
    const broken = faults.strike('httpError', method);
    if (broken) {
      end(response, broken.effect.status ?? 500, 'Internal Server Error', 'text/plain');
      return true;
    }
  }
  return false;
}

function garbled(text: string, requests: readonly RpcRequest[], { faults }: Answering): string {
  const isMeant = (effect: { shape: string }) => ['notJson', 'truncated', 'emptyBody'].includes(effect.shape);
  for (const { method } of requests) {
    const shape = faults.strike('garbage', method, isMeant)?.effect.shape;
    if (shape === 'notJson') return '<html><body><h1>502 Bad Gateway</h1></body></html>';
    if (shape === 'truncated') return text.slice(0, Math.ceil(text.length / 2));
    if (shape === 'emptyBody') return '';
  }
  return text;
}

/** A string goes out in one piece with its head; a buffer would take a second write. */
function end(response: ServerResponse, status: number, body = '', type = 'application/json'): void {
  response.writeHead(status, {
    ...CORS,
    ...(body !== '' && { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
