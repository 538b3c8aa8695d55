import { SANDBOX_USDC_AUTHORITY } from '@florin/sandbox-chain';
import {
  AccountRole,
  type Address,
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase58Decoder,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
} from '@solana/kit';
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getInitializeMultisig2Instruction,
  getMintSize,
  getMintToInstruction,
  getMultisigSize,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { send, usdcMint } from './wallet.ts';

/** Rarer things of Solana's token programs, made as anybody could make them. */
export const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

/** Authority that may mint and freeze the sandbox's USDC. */
export const usdcAuthority = (): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(SANDBOX_USDC_AUTHORITY.seed);

/** An account of a program with so much room, paid by `payer`; initialize it in the same transaction. */
async function newAccount(rpcUrl: string, payer: KeyPairSigner, space: number, programAddress: Address) {
  const account = await generateKeyPairSigner();
  const lamports = await createSolanaRpc(rpcUrl).getMinimumBalanceForRentExemption(BigInt(space)).send();
  const creation = getCreateAccountInstruction({
    payer,
    newAccount: account,
    lamports,
    space: BigInt(space),
    programAddress,
  });
  return { account, creation };
}

/** A token account that is the owner's, but not the canonical one. */
export async function createOtherAccount(rpcUrl: string, payer: KeyPairSigner, owner: Address) {
  const { account, creation } = await newAccount(rpcUrl, payer, getTokenSize(), TOKEN_PROGRAM_ADDRESS);
  const init = getInitializeAccount3Instruction({ account: account.address, mint: usdcMint, owner });
  await send({ rpcUrl, payer, instructions: [creation, init] });
  return account.address;
}

/** Two of these signers together. */
export async function createMultisig(rpcUrl: string, payer: KeyPairSigner, signers: Address[]) {
  const { account, creation } = await newAccount(rpcUrl, payer, getMultisigSize(), TOKEN_PROGRAM_ADDRESS);
  const init = getInitializeMultisig2Instruction({ multisig: account.address, m: 2, signers });
  await send({ rpcUrl, payer, instructions: [creation, init] });
  return account.address;
}

/** A nonce account, and the lifetime that its present nonce gives. */
export async function createNonce(rpcUrl: string, payer: KeyPairSigner, endSlot: () => void) {
  const { account, creation } = await newAccount(rpcUrl, payer, 80, SYSTEM_PROGRAM_ADDRESS);
  const init = getInitializeNonceAccountInstruction({
    nonceAccount: account.address,
    nonceAuthority: payer.address,
  });
  await send({ rpcUrl, payer, instructions: [creation, init] });
  endSlot();
  const { value } = await createSolanaRpc(rpcUrl)
    .getAccountInfo(account.address, { encoding: 'base64', commitment: 'processed' })
    .send();
  const nonce = getBase58Decoder().decode(Buffer.from(value!.data[0], 'base64').subarray(40, 72)) as Nonce;
  return { nonce, nonceAccountAddress: account.address, nonceAuthorityAddress: payer.address };
}

/** A mint of the newer token program, with a transfer fee if one is said; `amount` goes to its authority. */
export async function createToken2022(
  rpcUrl: string,
  authority: KeyPairSigner,
  amount: bigint,
  feeBasisPoints?: number,
) {
  const config = { programAddress: TOKEN_2022 };
  const space = feeBasisPoints === undefined ? getMintSize() : 278;
  const { account, creation } = await newAccount(rpcUrl, authority, space, TOKEN_2022);
  const mint = account.address;
  const owner = authority.address;
  const creationOfToken = await getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: authority,
    owner,
    mint,
    tokenProgram: TOKEN_2022,
  });
  await send({
    rpcUrl,
    payer: authority,
    instructions: [
      creation,
      ...(feeBasisPoints === undefined ? [] : [transferFee(mint, feeBasisPoints)]),
      getInitializeMint2Instruction({ mint, decimals: 6, mintAuthority: owner }, config),
      creationOfToken,
      getMintToInstruction(
        { mint, token: await token2022AccountOf(owner, mint), mintAuthority: authority, amount },
        config,
      ),
    ],
  });
  return mint;
}

export async function token2022AccountOf(owner: Address, mint: Address): Promise<Address> {
  return (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_2022 }))[0];
}

/** InitializeTransferFeeConfig without authorities: so many basis points, at most a whole token. */
function transferFee(mint: Address, basisPoints: number): Instruction {
  const data = Buffer.alloc(14);
  data.set([26, 0, 0, 0]);
  data.writeUInt16LE(basisPoints, 4);
  data.writeBigUInt64LE(1_000_000n, 6);
  return { programAddress: TOKEN_2022, accounts: [{ address: mint, role: AccountRole.WRITABLE }], data };
}
