import { randomBytes } from 'node:crypto';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { decodeTransaction } from './decode-transaction.ts';

/** The general decoder is the reference: we must read what it reads, to the last byte, and refuse what it refuses. */
const TRANSACTION = getTransactionDecoder();
const MESSAGE = getCompiledTransactionMessageDecoder();
const CASES = 4_000;

const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** xorshift, seeded, so that a failure can be repeated. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/**
 * Reads bytes with the reference decoder, into our types; undefined where it refuses them or would encode them
 * differently.
 */
function judge(bytes: Buffer) {
  try {
    const raw = TRANSACTION.decode(bytes);
    if (hex(new Uint8Array(getTransactionEncoder().encode(raw))) !== hex(bytes)) return undefined;
    const said = MESSAGE.decode(raw.messageBytes);
    if (said.version !== 'legacy' && said.version !== 0) return undefined;
    const written = getCompiledTransactionMessageEncoder().encode(said as never);
    if (hex(new Uint8Array(written)) !== hex(new Uint8Array(raw.messageBytes))) return undefined;
    // It accepts messages that require more signers than they have accounts; no node does.
    if (said.header.numSignerAccounts > said.staticAccounts.length) return undefined;
    const nameOf = (index: number) => said.staticAccounts[index] ?? '';
    return {
      signatures: Object.values(raw.signatures).map((each) => hex(each ?? new Uint8Array(64))),
      messageBytes: hex(new Uint8Array(raw.messageBytes)),
      accounts: [...said.staticAccounts] as string[],
      signerCount: said.header.numSignerAccounts,
      hasLookupTables: 'addressTableLookups' in said && (said.addressTableLookups?.length ?? 0) > 0,
      instructions: said.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
        program: nameOf(programAddressIndex) as string,
        accounts: accountIndices.map(nameOf) as string[],
        data: hex(Uint8Array.from(data)),
      })),
    };
  } catch {
    return undefined;
  }
}

function ours(bytes: Buffer) {
  const decoded = decodeTransaction(bytes);
  if (!decoded) return undefined;
  const { message, signatures, messageBytes } = decoded;
  if (!message) return 'of another version';
  return {
    ...message,
    signatures: signatures.map(hex),
    messageBytes: hex(messageBytes),
    instructions: message.instructions.map((each) => ({ ...each, data: hex(each.data) })),
  };
}

const someAddress = () => address(base58(randomBytes(32)));

function someInstruction(random: (below: number) => number): Instruction {
  const roles = [AccountRole.READONLY, AccountRole.WRITABLE, AccountRole.READONLY_SIGNER];
  return {
    programAddress: someAddress(),
    accounts: Array.from({ length: random(5) }, () => ({ address: someAddress(), role: roles[random(3)]! })),
    data: randomBytes([0, 1, 9, 10, 44, 130, 300][random(7)]!),
  };
}

function someTransaction(version: 'legacy' | 0, random: (below: number) => number): Buffer {
  const instructions = Array.from({ length: random(5) }, () => someInstruction(random));
  const lifetime = { blockhash: base58(randomBytes(32)) as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (draft) => setTransactionMessageFeePayer(someAddress(), draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const compiled = compileTransaction(message);
  const signatures = Object.fromEntries(
    Object.keys(compiled.signatures).map((signer) => [signer, random(4) === 0 ? null : randomBytes(64)]),
  );
  return Buffer.from(
    getBase64EncodedWireTransaction({ ...compiled, signatures } as typeof compiled),
    'base64',
  );
}

/** A version 0 message may end in lookup tables; the draft above makes none. */
function withTables(bytes: Buffer, random: (below: number) => number): Buffer {
  const tables = Array.from({ length: 1 + random(2) }, () => {
    const indexes = () => Buffer.of(2, random(256), random(256));
    return Buffer.concat([randomBytes(32), indexes(), indexes()]);
  });
  return Buffer.concat([bytes.subarray(0, -1), Buffer.of(tables.length), ...tables]);
}

function damaged(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  switch (random(6)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([copy, randomBytes(1 + random(3))]);
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1)]);
    case 3:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.of(0x80 | copy[at]!, random(4)),
        copy.subarray(at + 1),
      ]);
    default:
      copy[at] = random(2) === 0 ? random(256) : copy[at]! ^ (1 << random(8));
      return copy;
  }
}

/** With the bytes, so that a difference can be inspected. */
function expectSame(bytes: Buffer): void {
  expect({ bytes: hex(bytes), said: ours(bytes) }).toEqual({ bytes: hex(bytes), said: judge(bytes) });
}

describe('our decoder and the general one', () => {
  test('read the same in sound transactions, legacy and of version 0, with lookup tables too', () => {
    const random = randomFrom(11);
    for (let i = 0; i < 300; i++) {
      const [legacy, versioned] = [someTransaction('legacy', random), someTransaction(0, random)];
      for (const bytes of [legacy, versioned, withTables(versioned, random)]) {
        expect(ours(bytes)).toBeTypeOf('object');
        expectSame(bytes);
      }
    }
  });

  test(`agree on ${CASES} damaged ones`, () => {
    const random = randomFrom(29);
    const sound = Array.from({ length: 200 }, (_, i) => {
      const bytes = someTransaction(i % 2 === 0 ? 0 : 'legacy', random);
      return i % 4 === 0 ? withTables(bytes, random) : bytes;
    });
    let taken = 0;
    for (let i = 0; i < CASES; i++) {
      const bytes = damaged(sound[i % sound.length]!, random);
      // Later versions put their signatures last and are not read here.
      if (bytes[0]! > 0x80) continue;
      expectSame(bytes);
      if (typeof ours(bytes) === 'object') taken++;
    }
    expect(taken, 'some of them still say something').toBeGreaterThan(CASES / 10);
  });

  test('agree that random bytes are nothing', () => {
    for (let length = 0; length < 400; length++) {
      const bytes = randomBytes(length);
      if (length > 0) bytes[0] = bytes[0]! & 3;
      expectSame(bytes);
    }
  });
});

describe('refused, though the general decoder takes it', () => {
  const random = randomFrom(3);
  const sound = someTransaction(0, random);

  test('bytes after the end, and a list that is left out at the end', () => {
    expect(decodeTransaction(Buffer.concat([sound, Buffer.of(0)]))).toBeUndefined();
    expect(decodeTransaction(sound.subarray(0, -1))).toBeUndefined();
  });

  test('a length that is written longer than it needs to be', () => {
    const longer = Buffer.concat([sound.subarray(0, -1), Buffer.of(0x80, 0)]);
    expect(() => MESSAGE.decode(TRANSACTION.decode(longer).messageBytes)).not.toThrow();
    expect(decodeTransaction(longer)).toBeUndefined();
  });

  test('more signers than accounts, fewer signatures than signers, one signer twice', () => {
    const payer = randomBytes(32);
    const wire = (signatures: number, signers: number, accounts: Buffer[]) =>
      Buffer.concat([
        Buffer.of(signatures),
        randomBytes(64 * signatures),
        Buffer.of(0x80, signers, 0, 0, accounts.length),
        ...accounts,
        randomBytes(32),
        Buffer.of(0, 0),
      ]);
    expect(decodeTransaction(wire(1, 1, [payer]))?.message?.signerCount).toBe(1);
    expect(decodeTransaction(wire(1, 2, [payer]))).toBeUndefined();
    expect(decodeTransaction(wire(1, 2, [payer, randomBytes(32)]))).toBeUndefined();
    expect(decodeTransaction(wire(2, 2, [payer, payer]))).toBeUndefined();
  });
});

test('a later version has no message, and none where its signatures come first', () => {
  const later = decodeTransaction(Buffer.of(0x81, 1, 0, 0));
  expect(later).toEqual({ signatures: [], messageBytes: Buffer.of(0x81, 1, 0, 0), message: undefined });
  const versioned = someTransaction(0, randomFrom(5));
  versioned[1 + 64 * versioned[0]!] = 0x81;
  expect(decodeTransaction(versioned)).toBeUndefined();
});
