import { createHash } from 'node:crypto';
import { addressBytes, addressText } from './addresses.ts';
import { type AccountState, SYSTEM_PROGRAM } from './genesis.ts';
import type { Slots } from './slots.ts';
import { isWritableStatic, type WireMessage } from './wire-transaction.ts';

type Read = (address: string) => AccountState | undefined;

/** A transaction lives by a recent blockhash, or by a durable nonce that still has the value it names. */
export function isAlive(message: WireMessage, slots: Slots, slot: number, read: Read): boolean {
  return slots.isRecent(message.lifetime, slot) || usedNonce(message, read) !== undefined;
}

const ADVANCE_NONCE = 4;
const NONCE_BYTES = 80;

/** The nonce account by which the transaction lives, if it begins by advancing one that holds its value. */
export function usedNonce(message: WireMessage, read: Read): string | undefined {
  const [first] = message.instructions;
  if (!first || message.staticKeys[first.programIndex] !== SYSTEM_PROGRAM) return undefined;
  if (first.data.length < 4 || first.data.readUInt32LE() !== ADVANCE_NONCE) return undefined;
  const [index] = first.accounts;
  if (index === undefined || index >= message.staticKeys.length || !isWritableStatic(message, index))
    return undefined;
  const address = message.staticKeys[index]!;
  const nonce = nonceOf(read(address));
  if (!nonce || nonce.value !== message.lifetime) return undefined;
  const signers = first.accounts.filter((account) => account < message.requiredSignatures);
  return signers.some((signer) => message.staticKeys[signer] === nonce.authority) ? address : undefined;
}

/** Version, state "initialized", authority, value, fee. */
function nonceOf(account: AccountState | undefined): { authority: string; value: string } | undefined {
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_BYTES) return undefined;
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.byteLength);
  if (data.readUInt32LE(0) !== 1 || data.readUInt32LE(4) !== 1) return undefined;
  return { authority: addressText(data.subarray(8, 40)), value: addressText(data.subarray(40, 72)) };
}

/** A failed transaction uses its nonce up too; the runtime leaves that to its caller. */
export function advancedNonce(account: AccountState, blockhash: string): AccountState {
  const data = Buffer.from(account.data);
  createHash('sha256').update('DURABLE_NONCE').update(addressBytes(blockhash)).digest().copy(data, 40);
  return { ...account, data };
}
