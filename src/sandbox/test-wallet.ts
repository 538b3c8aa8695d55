import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import { associatedAccount } from '../chain/solana/associated-account.ts';
import { buildPayment } from '../chain/solana/build-payment.ts';
import { latestBlockhash } from '../chain/solana/latest-blockhash.ts';
import { TOKEN_PROGRAM, USDC_DECIMALS } from '../chain/solana/network.ts';
import type { Rpc } from '../chain/solana/rpc.ts';
import { text } from '../chain/solana/shapes.ts';
import type { BaseUnits } from '../platform/lib/money.ts';
import type { ChainControls } from './chain-controls.ts';

export interface TestPayment {
  destination: string;
  amountBaseUnits: BaseUnits;
  reference: string | null;
  memo: string;
  /** A customer and a merchant never share a wallet: what it sends to itself changes no balance. */
  from: 'customer' | 'merchant';
  /** `wrong_mint` pays with a token that only looks like money; `broke` lands on chain and fails there. */
  kind: 'normal' | 'wrong_mint' | 'broke';
}

export interface SignedPayment {
  signature: string;
  send(): Promise<string>;
}

/** Rent for a mint account, with plenty to spare. */
const MINT_LAMPORTS = 10_000_000n;

/** Wallets with test money that pay on the sandbox chain exactly as a customer's would: build, sign, send. */
export class TestWallet {
  readonly #chain: ChainControls;
  readonly #rpc: Rpc;
  readonly #mint: string;
  readonly #rich: Partial<Record<TestPayment['from'], Promise<KeyPairSigner>>> = {};
  #poor: Promise<KeyPairSigner> | undefined;
  #fakeMint: Promise<string> | undefined;
  #sent = 0;

  constructor(chain: ChainControls, rpc: Rpc, mint: string) {
    this.#chain = chain;
    this.#rpc = rpc;
    this.#mint = mint;
  }

  /** Returns the signature as soon as the transaction has been sent. */
  async pay(payment: TestPayment): Promise<string> {
    return (await this.sign(payment)).send();
  }

  async sign({ kind, from, ...payment }: TestPayment): Promise<SignedPayment> {
    const wallet = await (kind === 'broke' ? this.#brokeWallet() : this.#fundedWallet(from));
    if (kind === 'normal') await this.#chain.mintTo(wallet.address, payment.amountBaseUnits);
    const mint = kind === 'wrong_mint' ? await this.#mintFake(wallet, payment.amountBaseUnits) : this.#mint;
    const unsigned = await buildPayment({
      ...payment,
      // Two payments of one slot that are alike in all else would be one transaction.
      memo: `${payment.memo} ${++this.#sent}`,
      payer: wallet.address,
      mint,
      ...(await latestBlockhash(this.#rpc)),
    });
    const decoded = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'));
    const signed = await signTransaction([wallet.keyPair], decoded);
    return {
      signature: getSignatureFromTransaction(signed),
      send: () => this.#send(getBase64EncodedWireTransaction(signed), kind === 'broke'),
    };
  }

  #send(transaction: string, skipPreflight = false): Promise<string> {
    const options = { encoding: 'base64', skipPreflight, preflightCommitment: 'processed' };
    return this.#rpc.ask('sendTransaction', [transaction, options], (value) => text(value, 'signature'));
  }

  #fundedWallet(from: TestPayment['from']): Promise<KeyPairSigner> {
    this.#rich[from] ??= this.#newWallet().catch((error: unknown) => {
      // The next payment tries again.
      delete this.#rich[from];
      throw error;
    });
    return this.#rich[from];
  }

  /** Its token account exists and holds next to nothing, so that a transfer fails on chain and not before. */
  #brokeWallet(): Promise<KeyPairSigner> {
    this.#poor ??= this.#newBrokeWallet().catch((error: unknown) => {
      this.#poor = undefined;
      throw error;
    });
    return this.#poor;
  }

  async #newBrokeWallet(): Promise<KeyPairSigner> {
    const wallet = await this.#newWallet();
    await this.#chain.mintTo(wallet.address, 1n);
    return wallet;
  }

  async #newWallet(): Promise<KeyPairSigner> {
    const wallet = await generateKeyPairSigner();
    await this.#chain.fund(wallet.address);
    return wallet;
  }

  async #mintFake(wallet: KeyPairSigner, amount: BaseUnits): Promise<string> {
    this.#fakeMint ??= this.#createMint(wallet).catch((error: unknown) => {
      this.#fakeMint = undefined;
      throw error;
    });
    const mint = address(await this.#fakeMint);
    const account = address(await associatedAccount(wallet.address, mint));
    const owner = wallet.address;
    await this.#sendSigned(wallet, [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: wallet,
        ata: account,
        owner,
        mint,
        tokenProgram: address(TOKEN_PROGRAM),
      }),
      getMintToInstruction({ mint, token: account, mintAuthority: wallet, amount }),
    ]);
    return mint;
  }

  async #createMint(wallet: KeyPairSigner): Promise<string> {
    const mint = await generateKeyPairSigner();
    const programAddress = address(TOKEN_PROGRAM);
    await this.#sendSigned(wallet, [
      getCreateAccountInstruction({
        payer: wallet,
        newAccount: mint,
        lamports: MINT_LAMPORTS,
        space: getMintSize(),
        programAddress,
      }),
      getInitializeMint2Instruction({
        mint: mint.address,
        decimals: USDC_DECIMALS,
        mintAuthority: wallet.address,
      }),
    ]);
    return mint.address;
  }

  async #sendSigned(wallet: KeyPairSigner, instructions: Instruction[]): Promise<void> {
    const { blockhash, lastValidBlockHeight } = await latestBlockhash(this.#rpc);
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayerSigner(wallet, draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight },
          draft,
        ),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    );
    await this.#send(getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message)));
  }
}
