import type { Agent } from 'undici';

export interface Collector {
  /** Ends in /v1/traces. */
  url: string;
  headers: Record<string, string>;
}

export interface PostAnswer {
  status: number;
  /** How many of the spans it did not take, by its own account, and why. */
  rejected: number;
  rejectedBecause: string;
  retryAfter: string | undefined;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON = 200;

/** Sends once; throws where there is no answer. Whatever the answer says beyond its status is believed only if it can be read. */
export async function postSpans(
  { url, headers }: Collector,
  body: string,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const { request } = await import('undici');
  const answer = await request(url, {
    ...{ dispatcher, method: 'POST', body, signal },
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const text = await readStart(answer.body);
  const retryAfter = [answer.headers['retry-after']].flat()[0];
  return { status: answer.statusCode, ...rejectionIn(text), retryAfter };
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function rejectionIn(text: string): Pick<PostAnswer, 'rejected' | 'rejectedBecause'> {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: Record<string, unknown> };
    const count = Number(partialSuccess?.rejectedSpans ?? 0);
    const rejected = Number.isSafeInteger(count) && count > 0 ? count : 0;
    return { rejected, rejectedBecause: String(partialSuccess?.errorMessage ?? '').slice(0, MAX_REASON) };
  } catch {
    return { rejected: 0, rejectedBecause: '' };
  }
}
