import { readFile, stat } from 'node:fs/promises';
import { createKeyPairFromBytes, getAddressFromPublicKey, signBytes } from '@solana/kit';

/** The one key that the service may hold: it pays network fees and can do nothing else. */
export interface FeePayer {
  address: string;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

const KEY_BYTES = 64;
/** Anybody beyond the owner of the file. */
const OTHERS = 0o077;

/** Reads a key as `solana-keygen` writes it: a JSON list of 64 bytes that only the owner may read. Throws a plain reason. */
export async function readFeePayer(file: string): Promise<FeePayer> {
  const { mode } = await stat(file);
  if ((mode & OTHERS) !== 0)
    throw new Error(`others can read it: its mode is ${(mode & 0o777).toString(8)}, and must be 600`);
  return feePayerOf(toBytes(await readFile(file, 'utf8')));
}

export async function feePayerOf(bytes: Uint8Array): Promise<FeePayer> {
  const pair = await createKeyPairFromBytes(bytes).catch(() => {
    throw new Error('its two halves do not belong together');
  });
  return {
    address: await getAddressFromPublicKey(pair.publicKey),
    sign: (message) => signBytes(pair.privateKey, message),
  };
}

/** No error may quote the file. */
function toBytes(text: string): Uint8Array {
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const isByte = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256;
  if (!Array.isArray(listed) || listed.length !== KEY_BYTES || !listed.every(isByte))
    throw new Error(`it is not a list of ${KEY_BYTES} bytes, as solana-keygen writes it`);
  return Uint8Array.from(listed as number[]);
}
