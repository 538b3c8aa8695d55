import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Options that the service sends, as far as an authenticator reads them. */
// biome-ignore lint/suspicious/noExplicitAny: the options are walked freely here.
type Options = any;

interface Held {
  id: Buffer;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  counter: number;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const MAY_SYNC = 0x08;
const IS_SYNCED = 0x10;
const HAS_KEY = 0x40;

/**
 * A passkey authenticator and its browser in one: real keys, real signatures, ES256, attestation "none". Its switches make
 * the mistakes that must be refused.
 */
export class SoftAuthenticator {
  readonly held: Held[] = [];
  /** True if it asks the person for a finger or a PIN. */
  verifiesUser = true;
  /** True if its counter counts; those of synced keys stay at zero. */
  counts = true;

  create(options: Options, origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key: Held = {
      id: randomBytes(32),
      rpId: options.rp.id,
      userHandle: options.user.id,
      privateKey,
      counter: 0,
    };
    this.held.push(key);
    const { x, y } = publicKey.export({ format: 'jwk' });
    const coseKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(key.id.length);
    const authData = Buffer.concat([this.#authData(key, HAS_KEY), Buffer.alloc(16), length, key.id, coseKey]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return credential(key, {
      clientDataJSON: clientData('webauthn.create', options.challenge, origin),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  get(options: Options, origin: string) {
    const allowed: string[] = (options.allowCredentials ?? []).map(({ id }: { id: string }) => id);
    const key = this.held.find(
      ({ id, rpId }) =>
        rpId === options.rpId && (allowed.length === 0 || allowed.includes(id.toString('base64url'))),
    );
    if (!key) throw new Error('this authenticator has no key for that');
    const clientDataJSON = clientData('webauthn.get', options.challenge, origin);
    const authenticatorData = this.#authData(key, 0);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), key.privateKey);
    return credential(key, {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: key.userHandle,
    });
  }

  #authData(key: Held, flags: number): Buffer {
    if (this.counts) key.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(key.counter);
    const all = flags | PRESENT | MAY_SYNC | IS_SYNCED | (this.verifiesUser ? VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(key.rpId).digest(), Buffer.of(all), counter]);
  }
}

/** Credential in the format of PublicKeyCredential.toJSON(). */
function credential<Response extends object>({ id }: Held, response: Response) {
  const text = id.toString('base64url');
  return {
    id: text,
    rawId: text,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: { credProps: { rk: true } },
    response,
  };
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

/** Encodes the part of CBOR that an attestation needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(cbor))]);
  throw new Error(`cannot encode ${typeof value}`);
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.of((major << 5) | count);
  if (count < 256) return Buffer.of((major << 5) | 24, count);
  return Buffer.of((major << 5) | 25, count >> 8, count & 0xff);
}
