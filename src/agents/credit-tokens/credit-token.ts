import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../platform/lib/secret-box.ts';

/** The customer whose credits a token spends. */
export interface TokenHolder {
  merchantId: string;
  customerId: string;
  /** How often a token of this customer was revoked. */
  generation: number;
}

const PREFIX = 'flc_';
const ID_BYTES = 16;
const MAC_BYTES = 24;
const TOKEN = /^flc_([\w-]{54})$/;

/** The same for the same holder, so that a payment which is sent again gets the same token until that is revoked. */
export function makeCreditToken(secrets: SecretBox, holder: TokenHolder): string {
  const [key] = keysOf(secrets);
  return PREFIX + Buffer.concat([bytesOf(holder.customerId), macOf(key!, holder)]).toString('base64url');
}

/** The customer a token names; undefined where it is none. Whether we made it is another question. */
export function customerNamedIn(token: string): string | undefined {
  const bytes = decode(token);
  if (!bytes) return undefined;
  const hex = bytes.toString('hex', 0, ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function isCreditTokenOf(secrets: SecretBox, token: string, holder: TokenHolder): boolean {
  const bytes = decode(token);
  if (!bytes) return false;
  const given = bytes.subarray(ID_BYTES);
  return keysOf(secrets).some((key) => timingSafeEqual(macOf(key, holder), given));
}

function decode(token: string): Buffer | undefined {
  const [, text] = TOKEN.exec(token) ?? [];
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The last letter has bits to spare: only one spelling counts.
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const keysOf = (secrets: SecretBox) => secrets.derive('credit tokens');

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

function macOf(key: KeyObject, { merchantId, customerId, generation }: TokenHolder): Buffer {
  const said = JSON.stringify([merchantId, customerId, generation]);
  return createHmac('sha256', key).update(said).digest().subarray(0, MAC_BYTES);
}
