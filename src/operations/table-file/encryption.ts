import { Readable } from 'node:stream';
import { Decrypter, Encrypter } from 'age-encryption';

/** The readers of a backup: the holders of some keys, or of a passphrase. */
export type Encryption = { recipients: readonly string[] } | { passphrase: string };

/** The keys and the passphrase that a reader has for opening an encrypted backup. */
export interface Unlocking {
  identities: readonly string[];
  passphrase: string | undefined;
}

/** The file may be complete, but cannot be opened with the given keys. */
export class CannotUnlock extends Error {}

const FIRST_BYTES = Buffer.from('age-encryption.org/');

export type Transform = (source: AsyncIterable<Buffer>) => AsyncGenerator<Uint8Array>;

/** Encrypts in the age format: any age tool opens the file too. Holds one chunk of 64 KiB at a time. */
export function encryption(how: Encryption): Transform {
  const encrypter = new Encrypter();
  if ('passphrase' in how) encrypter.setPassphrase(how.passphrase);
  else for (const recipient of how.recipients) addRecipient(encrypter, recipient);
  return async function* encrypt(source) {
    yield* await encrypter.encrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>);
  };
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new Error('a recipient must be an age public key, such as age1…', { cause });
  }
}

export function unlocking(texts: readonly string[], passphrase: string | undefined): Unlocking {
  const lines = texts.flatMap((text) => text.split('\n').map((line) => line.trim()));
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const probe = new Decrypter();
  try {
    for (const identity of identities) probe.addIdentity(identity);
  } catch {
    // Without the cause, which may quote the secret.
    throw new Error(
      'an identity file must contain lines that start with AGE-SECRET-KEY-, as age-keygen writes them',
    );
  }
  if (texts.length > 0 && identities.length === 0) throw new Error('the identity file holds no identity');
  return { identities, passphrase };
}

/** The backup inside: decrypted when it is encrypted, the same bytes when it is not. */
export function decrypted(input: Readable, unlock: Unlocking): Readable {
  return Readable.from(decrypt(input, unlock), { objectMode: false });
}

async function* decrypt(input: Readable, unlock: Unlocking): AsyncGenerator<Uint8Array> {
  try {
    const source = input[Symbol.asyncIterator]();
    const first = await readFirst(source);
    const whole = prepended(first, source);
    if (!first.subarray(0, FIRST_BYTES.length).equals(FIRST_BYTES)) yield* whole;
    else yield* await open(whole, unlock);
  } finally {
    input.destroy();
  }
}

async function readFirst(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < FIRST_BYTES.length) {
    const { value, done } = await source.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  return first;
}

async function* prepended(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

async function open(
  source: AsyncIterable<Buffer>,
  { identities, passphrase }: Unlocking,
): Promise<ReadableStream<Uint8Array>> {
  if (identities.length === 0 && passphrase === undefined) {
    throw new CannotUnlock('this backup is encrypted: give --identity <file> or --passphrase-file <file>');
  }
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>);
  } catch (error) {
    if (!/no identity matched/.test((error as Error).message)) throw error;
    throw new CannotUnlock(
      passphrase === undefined
        ? 'none of the identities given opens this backup: it is for another key, for a passphrase, or damaged'
        : 'the passphrase does not open this backup: it is another one, the backup is for a key, or damaged',
    );
  }
}
