import { SANDBOX_USDC_MINT, type SandboxChain } from '@florin/sandbox-chain';
import {
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  address,
  appendTransactionMessageInstructions,
  type Commitment,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
  pipe,
  type Signature,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';

/** A customer's wallet for tests: real keys, real transactions, sent through the RPC URL like anybody's. */
export interface Wallet {
  signer: KeyPairSigner;
  address: Address;
  /** Its canonical token account of the sandbox's USDC. */
  usdcAccount: Address;
}

export const usdcMint: Address = address(SANDBOX_USDC_MINT);
/** The memo package's own default is a program the sandbox's runtime does not have. */
export const memoProgram: Address = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export interface Funds {
  lamports?: bigint;
  usdcBaseUnits?: bigint;
}

export async function createWallet(
  chain: SandboxChain,
  { lamports = 10_000_000_000n, usdcBaseUnits = 0n }: Funds = {},
): Promise<Wallet> {
  const signer = await generateKeyPairSigner();
  if (lamports > 0n) await chain.fund(signer.address, lamports);
  if (usdcBaseUnits > 0n) await chain.mintTo(signer.address, usdcBaseUnits);
  return { signer, address: signer.address, usdcAccount: await tokenAccountOf(signer.address) };
}

export async function tokenAccountOf(owner: Address, mint = usdcMint): Promise<Address> {
  return (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];
}

export interface Payment extends SendOptions {
  rpcUrl: string;
  from: KeyPairSigner;
  destinationOwner: Address;
  amountBaseUnits: bigint;
  /** Read-only accounts at the end of the transfer, by which it is found again. */
  references?: Address[];
  mint?: Address;
  decimals?: number;
  memo?: string;
  /** Makes the destination's token account when it is missing (default). */
  createAccount?: boolean;
  /** Instructions around the payment's own. */
  before?: Instruction[];
  after?: Instruction[];
}

/** Pays tokens as a Solana Pay wallet does; answers the signature at once. */
export async function pay(payment: Payment): Promise<Signature> {
  const { rpcUrl, from, before = [], after = [], ...rest } = payment;
  const own = await paymentInstructions(payment);
  return send({ ...rest, rpcUrl, payer: payment.payer ?? from, instructions: [...before, ...own, ...after] });
}

export async function paymentInstructions(payment: Payment): Promise<Instruction[]> {
  const { from, destinationOwner, amountBaseUnits, references = [], memo } = payment;
  const { mint = usdcMint, decimals = 6, createAccount = true } = payment;
  const transfer = getTransferCheckedInstruction({
    source: await tokenAccountOf(from.address, mint),
    mint,
    destination: await tokenAccountOf(destinationOwner, mint),
    authority: from,
    amount: amountBaseUnits,
    decimals,
  });
  const named = references.map((reference) => ({ address: reference, role: AccountRole.READONLY }));
  const creation = getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: payment.payer ?? from,
    owner: destinationOwner,
    mint,
  });
  return [
    ...(createAccount ? [await creation] : []),
    ...(memo === undefined ? [] : [memoInstruction(memo)]),
    { ...transfer, accounts: [...transfer.accounts, ...named] },
  ];
}

export function memoInstruction(memo: string): Instruction {
  return getAddMemoInstruction({ memo }, { programAddress: memoProgram });
}

export interface SendOptions {
  /** Pays the fee; the payer of `pay` by default. */
  payer?: TransactionSigner;
  version?: 'legacy' | 0 | 1;
  lookupTables?: AddressesByLookupTableAddress;
  nonce?: { nonce: Nonce; nonceAccountAddress: Address; nonceAuthorityAddress: Address };
  skipPreflight?: boolean;
}

/** Sends instructions in one transaction; answers its signature as soon as the node has taken it. */
export async function send(
  options: SendOptions & { rpcUrl: string; payer: TransactionSigner; instructions: Instruction[] },
): Promise<Signature> {
  const rpc = createSolanaRpc(options.rpcUrl);
  const wire = await sign(options);
  const skipPreflight = options.skipPreflight ?? false;
  return rpc
    .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'processed', skipPreflight })
    .send();
}

let signed = 0;

/** A signed transaction in base64, never twice the same: the unit limit counts up. */
export async function sign(options: Parameters<typeof send>[0]) {
  const { rpcUrl, payer, instructions, version = 0, lookupTables = {}, nonce } = options;
  const { value: latest } = await createSolanaRpc(rpcUrl)
    .getLatestBlockhash({ commitment: 'processed' })
    .send();
  const draft = pipe(
    createTransactionMessage({ version: version as 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageComputeUnitLimit(300_000 + (signed++ % 1_000_000), message),
    // Version 1 takes no default here: it may then load nothing at all.
    (message) =>
      (version as number) === 1
        ? setTransactionMessageLoadedAccountsDataSizeLimit(2_000_000, message)
        : message,
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) =>
      nonce
        ? setTransactionMessageLifetimeUsingDurableNonce(nonce, message)
        : setTransactionMessageLifetimeUsingBlockhash(latest, message),
  );
  const message =
    Object.keys(lookupTables).length === 0
      ? draft
      : compressTransactionMessageUsingAddressLookupTables(draft, lookupTables);
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
}

/** Number of further slots until a transaction has the commitment. */
const SLOTS_TO: Record<Commitment, number> = { processed: 0, confirmed: 2, finalized: 32 };

/** Brings everything that has landed to the commitment, by ending slots by hand. */
export function settle(chain: SandboxChain, commitment: Commitment): void {
  chain.advanceSlots(SLOTS_TO[commitment]);
}

/** Waits on a chain whose slots end automatically, maybe in another process: asks until the signature is there. */
export async function waitForSignature(rpcUrl: string, signature: Signature, commitment: Commitment) {
  const rpc = createSolanaRpc(rpcUrl);
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    const reached = value[0]?.confirmationStatus;
    if (reached && SLOTS_TO[reached] >= SLOTS_TO[commitment]) return value[0]!;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A mint of anybody's making, such as a fake USDC; `amount` of it goes to the authority's own account. */
export async function createMint(rpcUrl: string, authority: KeyPairSigner, amount: bigint, decimals = 6) {
  const rpc = createSolanaRpc(rpcUrl);
  const mint = await generateKeyPairSigner();
  const space = BigInt(getMintSize());
  const owner = authority.address;
  const instructions = [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: owner }),
    await getCreateAssociatedTokenIdempotentInstructionAsync({ payer: authority, owner, mint: mint.address }),
    getMintToInstruction({
      mint: mint.address,
      token: await tokenAccountOf(owner, mint.address),
      mintAuthority: authority,
      amount,
    }),
  ];
  await send({ rpcUrl, payer: authority, instructions });
  return mint.address;
}

const lookupTableProgram = address('AddressLookupTab1e1111111111111111111111111');
const systemProgram = address('11111111111111111111111111111111');

/** A lookup table that holds the addresses; it can be used from the next slot on. */
export async function createLookupTable(
  rpcUrl: string,
  payer: KeyPairSigner,
  addresses: Address[],
): Promise<AddressesByLookupTableAddress> {
  const recentSlot = Buffer.alloc(8);
  recentSlot.writeBigUInt64LE(await createSolanaRpc(rpcUrl).getSlot({ commitment: 'confirmed' }).send());
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: lookupTableProgram,
    seeds: [getAddressEncoder().encode(payer.address), recentSlot],
  });
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(addresses.length));
  const instruction = (...data: Uint8Array[]): Instruction => ({
    programAddress: lookupTableProgram,
    accounts: [
      { address: table, role: AccountRole.WRITABLE },
      { address: payer.address, role: AccountRole.READONLY_SIGNER },
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: systemProgram, role: AccountRole.READONLY },
    ],
    data: Buffer.concat(data),
  });
  const create = instruction(Buffer.from([0, 0, 0, 0]), recentSlot, Buffer.from([bump]));
  const keys = addresses.map((key) => Uint8Array.from(getAddressEncoder().encode(key)));
  await send({
    rpcUrl,
    payer,
    instructions: [create, instruction(Buffer.from([2, 0, 0, 0]), count, ...keys)],
  });
  return { [table]: addresses };
}
