import { FlorinSignatureError } from './errors.ts';
import type { WebhookEvent } from './generated/types.ts';
import { parseJson } from './json.ts';

export type Payload = string | Uint8Array | ArrayBuffer;

export interface ConstructEventOptions {
  /** How old a signature may be. Default: 300. */
  toleranceSeconds?: number;
  /** Default: now. */
  now?: Date;
}

export interface TestHeader {
  payload: Payload;
  /** Several, as in the 24 hours after the secret was changed: one signature with each. */
  secret: string | readonly string[];
  /** Unix time in seconds. Default: now. */
  timestamp?: number;
}

/** How far the service's clock may be ahead of this one. */
const FUTURE_SECONDS = 30;

export const webhooks = {
  /**
   * The event in a webhook, once its signature has proved who sent it; otherwise a FlorinSignatureError.
   *
   * @param payload The raw body, as text or bytes, before any JSON parser has seen it.
   * @param signature The value of the X-Service-Signature header.
   * @param secret The webhook secret, `whsec_` included; or several, of which one must match.
   */
  async constructEvent(
    payload: Payload,
    signature: string | readonly string[] | null | undefined,
    secret: string | readonly string[],
    { toleranceSeconds = 300, now = new Date() }: ConstructEventOptions = {},
  ): Promise<WebhookEvent> {
    const body = bytesOf(payload);
    const { time, signatures } = readHeader([signature ?? []].flat().join(','));
    await checkMatch(secretsOf(secret), signed(time, body), signatures);
    checkTime(Number(time), now.getTime() / 1000, toleranceSeconds);
    return readEvent(body);
  },

  /** The header of a webhook that was never sent, for tests of your receiver. */
  async generateTestHeader({ payload, secret, timestamp = Date.now() / 1000 }: TestHeader): Promise<string> {
    const time = Math.floor(timestamp).toString();
    const data = signed(time, bytesOf(payload));
    const signatures = await Promise.all(
      secretsOf(secret).map(async (one) => {
        const digest = await crypto.subtle.sign('HMAC', await keyOf(one, 'sign'), data);
        return `,v1=${toHex(new Uint8Array(digest))}`;
      }),
    );
    return `t=${time}${signatures.join('')}`;
  },
};

function bytesOf(payload: Payload): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array) return payload;
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload);
  throw new FlorinSignatureError(
    'payload_not_raw',
    'The payload must be the raw body, as text or bytes: a parsed body no longer has the bytes that were signed.',
  );
}

/** `t=<unix time>,v1=<hex>`, with one or more `v1`; what else is there may be of a later scheme. */
function readHeader(header: string): { time: string; signatures: Uint8Array<ArrayBuffer>[] } {
  if (header.trim() === '')
    throw new FlorinSignatureError('missing_header', 'The signature header is missing.');
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const times = valuesOf('t');
  const signatures = valuesOf('v1').filter((hex) => /^[0-9a-f]{64}$/i.test(hex));
  if (times.length !== 1 || !/^\d{1,15}$/.test(times[0]!) || signatures.length === 0) {
    throw new FlorinSignatureError(
      'malformed_header',
      'The signature header is not "t=<unix time>,v1=<hex>".',
    );
  }
  return { time: times[0]!, signatures: signatures.map(fromHex) };
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function secretsOf(secret: string | readonly string[]): string[] {
  const secrets = [secret].flat().filter(Boolean);
  if (secrets.length === 0) throw new TypeError('The webhook secret is empty: is the variable set?');
  return secrets;
}

/** The signed bytes: the digits of the time, and the body right after them. */
function signed(time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const digits = new TextEncoder().encode(time);
  const data = new Uint8Array(digits.length + body.length);
  data.set(digits);
  data.set(body, digits.length);
  return data;
}

/** Every pair is tried, and each comparison is the platform's own: its time tells nothing about the bytes. */
async function checkMatch(
  secrets: readonly string[],
  data: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  let isMatch = false;
  for (const secret of secrets) {
    const key = await keyOf(secret, 'verify');
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, data)) isMatch = true;
    }
  }
  if (isMatch) return;
  const message = 'No signature matches: the secret is another one, or the body is not the raw one.';
  throw new FlorinSignatureError('no_match', message);
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [use]);
}

function checkTime(timeSeconds: number, nowSeconds: number, toleranceSeconds: number): void {
  const ageSeconds = nowSeconds - timeSeconds;
  if (ageSeconds < -FUTURE_SECONDS) {
    const message = `The signature is ${Math.ceil(-ageSeconds)} seconds in the future: is this clock right?`;
    throw new FlorinSignatureError('in_the_future', message);
  }
  if (ageSeconds <= toleranceSeconds) return;
  const message = `The signature is ${Math.floor(ageSeconds)} seconds old, more than ${toleranceSeconds}.`;
  throw new FlorinSignatureError('too_old', message);
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    const event = parseJson(new TextDecoder().decode(body)) as WebhookEvent | null;
    if (typeof event?.event === 'string') return event;
  } catch (error) {
    throw new FlorinSignatureError('not_an_event', 'The payload is signed, but not JSON.', error);
  }
  throw new FlorinSignatureError('not_an_event', 'The payload is signed, but not an event.');
}
