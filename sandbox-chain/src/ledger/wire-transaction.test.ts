import {
  type AccountMeta,
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Chain } from './chain.ts';
import { blockhashOf, FAUCET, SANDBOX_FIRST_SLOT, SANDBOX_USDC_MINT } from './genesis.ts';
import { hasValidSignatures } from './signatures.ts';
import { WireError } from './wire-reader.ts';
import { readMessage, readTransaction } from './wire-transaction.ts';

const memo = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const samples = new Map<'legacy' | 0 | 1, Buffer>();

beforeAll(async () => {
  const payer = await createKeyPairSignerFromPrivateKeyBytes(FAUCET.seed);
  const cosigner = await generateKeyPairSigner();
  const reference = (await generateKeyPairSigner()).address;
  const table = (await generateKeyPairSigner()).address;
  const instructions: Instruction[] = [
    getTransferSolInstruction({ source: payer, destination: cosigner.address, amount: 1_000_000n }),
    {
      programAddress: memo,
      accounts: [
        { address: cosigner.address, role: AccountRole.READONLY_SIGNER, signer: cosigner } as AccountMeta,
        { address: reference, role: AccountRole.READONLY },
        { address: address(SANDBOX_USDC_MINT), role: AccountRole.WRITABLE },
      ],
      data: Buffer.from('x'.repeat(200)),
    },
  ];
  for (const version of ['legacy', 0, 1] as const) {
    const draft = pipe(
      createTransactionMessage({ version: version as 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhashOf(SANDBOX_FIRST_SLOT) as Blockhash, lastValidBlockHeight: 0n },
          message,
        ),
      (message) => appendTransactionMessageInstructions(instructions, message),
    );
    const limits = {
      computeUnitLimit: 300_000,
      loadedAccountsDataSizeLimit: 1_000_000,
      priorityFeeLamports: 9n,
    };
    const message =
      version === 0
        ? compressTransactionMessageUsingAddressLookupTables(draft, { [table]: [reference] })
        : (version as number) === 1
          ? (setTransactionMessageConfig(limits, draft as never) as typeof draft)
          : draft;
    const signed = await signTransactionMessageWithSigners(message);
    samples.set(version, Buffer.from(getTransactionEncoder().encode(signed)));
  }
});

describe.each(['legacy', 0, 1] as const)('version %s', (version) => {
  test('is read as kit reads it', async () => {
    const bytes = samples.get(version)!;
    const tx = readTransaction(bytes);
    const theirs = getTransactionDecoder().decode(bytes);
    const message = getCompiledTransactionMessageDecoder().decode(theirs.messageBytes);
    expect(tx.signature).toBe(getSignatureFromTransaction(theirs));
    expect(tx.messageBytes.equals(Buffer.from(theirs.messageBytes))).toBe(true);
    expect(tx.message).toMatchObject({
      version,
      staticKeys: message.staticAccounts,
      lifetime: blockhashOf(SANDBOX_FIRST_SLOT),
      requiredSignatures: message.header.numSignerAccounts,
      readonlySigned: message.header.numReadonlySignerAccounts,
      readonlyUnsigned: message.header.numReadonlyNonSignerAccounts,
    });
    expect(tx.message.instructions[1]!.data.toString()).toBe('x'.repeat(200));
    expect(tx.message.lookups).toHaveLength(version === 0 ? 1 : 0);
    expect(tx.message.config?.priorityFee).toBe(version === 1 ? 9n : undefined);
    expect(readMessage(tx.messageBytes)).toMatchObject({ staticKeys: tx.message.staticKeys });
    expect(await hasValidSignatures(tx)).toBe(true);
  });

  test('cut off anywhere, or with something behind it, it is no transaction', () => {
    const bytes = samples.get(version)!;
    for (let length = 0; length < bytes.length; length++)
      expect(() => readTransaction(bytes.subarray(0, length)), `${length} bytes`).toThrow(WireError);
    expect(() => readTransaction(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(WireError);
  });

  test('one changed byte breaks the signatures', async () => {
    const bytes = Buffer.from(samples.get(version)!);
    bytes[bytes.indexOf('xxxx')] = 0x79;
    expect(await hasValidSignatures(readTransaction(bytes))).toBe(false);
  });

  test('whatever is let through, the runtime survives it', () => {
    const chain = new Chain({ now: () => new Date(0), stateFolder: undefined });
    const sample = samples.get(version)!;
    const change = fc.tuple(fc.nat(sample.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const tx = readTransaction(bytes);
          chain.simulate(tx);
          chain.land(tx, { keepFailures: true });
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

test('too large, or of no version there is', () => {
  expect(() => readTransaction(Buffer.alloc(1233))).toThrow(/too large/);
  const legacy = samples.get('legacy')!;
  const message = readTransaction(legacy).messageBytes;
  const versioned = (version: number) =>
    Buffer.concat([legacy.subarray(0, legacy.length - message.length), Buffer.of(0x80 | version), message]);
  expect(() => readTransaction(versioned(1))).toThrow(WireError);
  expect(() => readTransaction(versioned(2))).toThrow(/version 2/);
});
