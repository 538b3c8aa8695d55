export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  body: any;
}

/** One message without a library: what is sent is what arrives. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<RawAnswer> {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  const parsed = json.startsWith('{') ? JSON.parse(json) : undefined;
  return { status: response.status, headers: response.headers, text: json, body: parsed };
}

/** Calls a tool without connecting first, as the oldest of stateless clients do. */
export function rawCall(url: string, key: string, name: string, args: unknown): Promise<RawAnswer> {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`;
  return post(url, body, { authorization: `Bearer ${key}` });
}
