import { createHmac } from 'node:crypto';

/**
 * `t=<unix time>,v1=<hex>`, with one `v1` per secret. Each is HMAC-SHA256, keyed with the whole secret string, over
 * the digits of the time immediately followed by the body.
 */
export function signatureHeader(secrets: readonly string[], at: Date, body: Buffer): string {
  const time = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map(
    (secret) => `,v1=${createHmac('sha256', secret).update(time).update(body).digest('hex')}`,
  );
  return `t=${time}${signatures.join('')}`;
}

/**
 * The three headers of Standard Webhooks, name and value in turn, with one `v1` per secret. Each is HMAC-SHA256 over id, time and
 * body joined by dots, keyed with the bytes that the secret after `whsec_` is base64 of: what its libraries make
 * of the same string.
 */
export function standardHeaders(
  secrets: readonly string[],
  eventId: string,
  at: Date,
  body: Buffer,
): string[] {
  const time = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${time}.`).update(body).digest('base64')}`;
  });
  return ['webhook-id', eventId, 'webhook-timestamp', time, 'webhook-signature', signatures.join(' ')];
}
