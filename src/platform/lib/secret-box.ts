import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Seals secrets before they reach the database (AES-256-GCM), so that a stolen dump gives none away. */
export interface SecretBox {
  /** With the current key. */
  seal(plain: string): Buffer;
  /** With whichever known key sealed it; throws MissingSecretKey if none did. */
  open(sealed: Buffer): string;
  /** The current key first. */
  keyIds(): string[];
  /**
   * Keys for signing, one of each known key, the current one's first: they tell nothing of the keys themselves. As objects:
   * from bytes, each signature would make one again, which takes longer than signing.
   */
  derive(purpose: string): KeyObject[];
}

export interface SecretKey {
  /** A short hash that names the key in messages and in what it sealed; it gives nothing of the key away. */
  id: string;
  bytes: Buffer;
}

/** Source of the keys, the current one first. `isFresh` re-reads a source that may have changed. */
export type KeySource = (isFresh: boolean) => readonly SecretKey[];

/** The value is sealed with a key that this process does not have. */
export class MissingSecretKey extends Error {
  constructor(keyId: string, known: readonly SecretKey[]) {
    const ids = known.map(({ id }) => id).join(', ');
    super(
      `this needs the secret key ${keyId}, but only ${ids} is configured: add it to FLORIN_SECRET_KEYS_OLD, or as a line of secret.key in the data folder`,
    );
  }
}

export const ID_BYTES = 4;
/** Sealed data starts with this byte and the key's id. */
export const SEALED_WITH_ID = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + ID_BYTES;

export function secretKey(bytes: Buffer): SecretKey {
  const digest = hash('sha256', Buffer.concat([Buffer.from('florin secret key id\0'), bytes]), 'hex');
  return { id: digest.slice(0, 2 * ID_BYTES), bytes };
}

export function secretBox(current: Buffer, ...old: Buffer[]): SecretBox {
  const keys = [current, ...old].map(secretKey);
  return secretBoxFrom(() => keys);
}

export function secretBoxFrom(source: KeySource): SecretBox {
  return {
    seal: (plain) => sealWith(source(true)[0]!, plain),
    open(sealed) {
      if (sealed[0] === SEALED_WITH_ID) return openById(source, sealed);
      throw new Error('sealed secret has an unknown version');
    },
    keyIds: () => source(true).map(({ id }) => id),
    derive: (purpose) => source(false).map(({ bytes }) => deriveKey(bytes, purpose)),
  };
}

const derived = new WeakMap<Buffer, Map<string, KeyObject>>();

/** Derived once for each purpose. */
function deriveKey(bytes: Buffer, purpose: string): KeyObject {
  const known = derived.get(bytes) ?? new Map<string, KeyObject>();
  derived.set(bytes, known);
  const key = known.get(purpose) ?? createSecretKey(hmacOf(bytes, `florin ${purpose}\0`));
  known.set(purpose, key);
  return key;
}

const hmacOf = (bytes: Buffer, text: string) => createHmac('sha256', bytes).update(text).digest();

function sealWith(key: SecretKey, plain: string): Buffer {
  const header = Buffer.concat([Buffer.of(SEALED_WITH_ID), Buffer.from(key.id, 'hex')]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(header);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), body]);
}

function openById(source: KeySource, sealed: Buffer): string {
  const header = sealed.subarray(0, HEADER_BYTES);
  const id = header.subarray(1).toString('hex');
  const find = (keys: readonly SecretKey[]) => keys.find((key) => key.id === id);
  // Another process may have added the key a moment ago.
  const key = find(source(false)) ?? find(source(true));
  if (!key) throw new MissingSecretKey(id, source(false));
  return decrypt(key, sealed.subarray(HEADER_BYTES), header);
}

function decrypt(key: SecretKey, rest: Buffer, header: Buffer): string {
  const nonce = rest.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(header).setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = rest.subarray(NONCE_BYTES + TAG_BYTES);
  return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
}
