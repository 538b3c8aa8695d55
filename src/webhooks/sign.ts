import { createHmac } from 'node:crypto';

/**
 * `t=<unix time>,v1=<hex>`, with one `v1` per secret. Each is HMAC-SHA256, keyed with the whole secret string,
 * over the digits of the time followed at once by the body.
 */
export function signatureHeader(secrets: readonly string[], at: Date, body: Buffer): string {
  const time = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map(
    (secret) => `,v1=${createHmac('sha256', secret).update(time).update(body).digest('hex')}`,
  );
  return `t=${time}${signatures.join('')}`;
}
