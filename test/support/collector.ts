import { type Answer, startReceiver } from './webhooks.ts';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status?: { code: number };
}

/** A collector of traces over real HTTP, which takes what it gets unless told otherwise. */
export async function startCollector(answer: Answer = (response) => response.end('{}')) {
  const { url, received } = await startReceiver(answer);
  return {
    url,
    received,
    spans: (): ReceivedSpan[] =>
      received
        .flatMap(({ body }) => JSON.parse(body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
  };
}

export function attributesOf({ attributes }: ReceivedSpan): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue!]));
}
