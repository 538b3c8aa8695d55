import type { IncomingMessage, ServerResponse } from 'node:http';

/** Hono speaks Request and Response; in your project, serve() of @hono/node-server does this. */
export function answerWith(answer: (request: Request) => Response | Promise<Response>) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const headers = Object.entries(incoming.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    const response = await answer(new Request(url, { method: incoming.method ?? 'GET', headers }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
}
