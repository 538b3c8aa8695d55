import { type Instruction, type KeyPairSigner, signBytes } from '@solana/kit';
import type { Page } from 'playwright-core';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import type { TestChain } from './chain.ts';
import { signedWith } from './changed-transaction.ts';

export interface BrowserWallet {
  name: string;
  /** Its owner says no when asked to sign. */
  refuses?: boolean;
  /** Hands the signed transaction back instead of sending it. */
  signsOnly?: boolean;
  /** Adds an instruction to whatever it is asked to sign. */
  adds?: Instruction;
  chains?: string[];
  /** The networks of its account, where its owner has set it to another than it can do. */
  accountChains?: string[];
  /** Never answers: when it is connected, or when it should sign. */
  hangs?: 'connecting' | 'signing';
  /** Signer whose keys it holds; the customer’s by default. */
  signer?: KeyPairSigner;
}

/**
 * A wallet of the Wallet Standard in the page, as an extension puts it there before the page's own scripts run.
 * Its key stays out here, as a real one's stays in the extension: what it signs goes to the real sandbox chain.
 */
export async function installWallet(page: Page, t: TestChain, wallet: BrowserWallet): Promise<void> {
  const rpc = createRpc({ urls: [t.chain.rpcUrl], timeoutMs: 5_000, maxPerSecond: 1_000 });
  const { signer = t.customer.signer } = wallet;
  await page.exposeFunction(`signAndSend_${wallet.name}`, async (transaction: string) => {
    if (wallet.refuses) throw new Error('User rejected the request.');
    const signed = await signedWith(wallet.adds ? [wallet.adds] : [], transaction, signer);
    if (wallet.signsOnly) return signed;
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    return rpc.ask('sendTransaction', [signed, options], String);
  });
  await page.exposeFunction(`signMessage_${wallet.name}`, async (message: string) => {
    if (wallet.refuses) throw new Error('User rejected the request.');
    const signature = await signBytes(signer.keyPair.privateKey, Buffer.from(message, 'base64'));
    return Buffer.from(signature).toString('base64');
  });
  const { name, chains = ['solana:localnet'], accountChains = chains, signsOnly = false, hangs } = wallet;
  const given = { name, chains, accountChains, signsOnly, hangs, address: signer.address as string };
  await page.addInitScript(register, given);
}

/** Runs in the page. */
function register(given: {
  name: string;
  chains: string[];
  accountChains: string[];
  signsOnly: boolean;
  hangs: 'connecting' | 'signing' | undefined;
  address: string;
}): void {
  const { name, chains, accountChains, signsOnly, hangs, address } = given;
  const never = new Promise<never>(() => {});
  // biome-ignore lint/suspicious/noExplicitAny: the page's own globals.
  const page = globalThis as any;
  const pass = (transaction: Uint8Array): Promise<string> =>
    hangs === 'signing' ? never : page[`signAndSend_${name}`](page.btoa(String.fromCharCode(...transaction)));
  const sending = {
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      async signAndSendTransaction({ transaction }: { transaction: Uint8Array }) {
        await pass(transaction);
        return [{ signature: new Uint8Array(64) }];
      },
    },
  };
  const signing = {
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      async signTransaction({ transaction }: { transaction: Uint8Array }) {
        const text: string = page.atob(await pass(transaction));
        return [{ signedTransaction: Uint8Array.from(text, (character) => character.charCodeAt(0)) }];
      },
    },
  };
  const bytesOf = (text: string) =>
    Uint8Array.from(page.atob(text), (character: string) => character.charCodeAt(0));
  const signingMessages = {
    'solana:signMessage': {
      version: '1.0.0',
      async signMessage({ message }: { message: Uint8Array }) {
        const signature = await page[`signMessage_${name}`](page.btoa(String.fromCharCode(...message)));
        return [{ signedMessage: message, signature: bytesOf(signature) }];
      },
    },
  };
  const account = { address, publicKey: new Uint8Array(32), chains: accountChains, features: [] };
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiPjxwYXRoIGQ9Ik0wIDBoMXYxSDB6IiBmaWxsPSIjNzQ0Ii8+PC9zdmc+',
    chains,
    accounts: [] as (typeof account)[],
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          if (hangs === 'connecting') await never;
          wallet.accounts = [account];
          return { accounts: wallet.accounts };
        },
      },
      ...signingMessages,
      ...(signsOnly ? signing : sending),
    },
  };
  const tell = ({ register: take }: { register(wallet: unknown): void }) => take(wallet);
  page.addEventListener('wallet-standard:app-ready', (event: { detail: Parameters<typeof tell>[0] }) =>
    tell(event.detail),
  );
  page.dispatchEvent(new page.CustomEvent('wallet-standard:register-wallet', { detail: tell }));
}
