import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { addressBytes } from './addresses.ts';
import type { WireTransaction } from './wire-transaction.ts';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const MAX_REMEMBERED = 10_000;
const verifyElsewhere = promisify(verify);

/** True if every required signer signed exactly this message. The sums are done off the main thread. */
export async function hasValidSignatures(tx: WireTransaction): Promise<boolean> {
  const checks = tx.signatures.map((signature, i) =>
    verifyElsewhere(undefined, tx.messageBytes, publicKeyOf(tx.message.staticKeys[i]!), signature),
  );
  return (await Promise.all(checks)).every(Boolean);
}

const publicKeys = new Map<string, KeyObject>();

/** Signers come again, and making a key of their bytes is a good part of the work. */
function publicKeyOf(address: string): KeyObject {
  let publicKey = publicKeys.get(address);
  if (!publicKey) {
    const key = Buffer.concat([SPKI_PREFIX, addressBytes(address)]);
    publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    if (publicKeys.size >= MAX_REMEMBERED) publicKeys.clear();
    publicKeys.set(address, publicKey);
  }
  return publicKey;
}
