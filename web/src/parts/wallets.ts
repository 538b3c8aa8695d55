import { useSyncExternalStore } from 'react';

/** Part of the Wallet Standard that signing needs. */
export interface Account {
  address: string;
  chains: readonly string[];
}

export interface Signing {
  account: Account;
  transaction: Uint8Array;
  chain: string;
}

export interface Wallet {
  name: string;
  chains: readonly string[];
  accounts: readonly Account[];
  features: {
    'standard:connect'?: { connect(): Promise<{ accounts: readonly Account[] }> };
    'solana:signMessage'?: {
      signMessage(input: {
        account: Account;
        message: Uint8Array;
      }): Promise<readonly { signature: Uint8Array }[]>;
    };
    'solana:signTransaction'?: {
      signTransaction(input: Signing): Promise<readonly { signedTransaction: Uint8Array }[]>;
    };
    'solana:signAndSendTransaction'?: { signAndSendTransaction(input: Signing): Promise<unknown> };
  };
}

let wallets: readonly Wallet[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Wallet[]): void {
  wallets = next.filter(({ features }) => features['standard:connect']);
  for (const listener of listeners) listener();
}

const registry = {
  register(...given: Wallet[]): () => void {
    change([...wallets, ...given]);
    return () => change(wallets.filter((wallet) => !given.includes(wallet)));
  },
};

window.addEventListener('wallet-standard:register-wallet', (event) => {
  (event as CustomEvent<(api: typeof registry) => void>).detail(registry);
});
window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: registry }));

/** The wallets of this browser that can be connected. */
export function useWallets(): readonly Wallet[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wallets,
  );
}

/** The accounts that the wallet's owner lets this page see. */
export async function connect(wallet: Wallet): Promise<readonly Account[]> {
  const { accounts } = await wallet.features['standard:connect']!.connect();
  return [...accounts, ...wallet.accounts];
}
