import { useSyncExternalStore } from 'react';

/** As much of the Wallet Standard as signing a message needs. */
interface Account {
  address: string;
}

interface SignMessage {
  signMessage(input: {
    account: Account;
    message: Uint8Array;
  }): Promise<readonly { signature: Uint8Array }[]>;
}

export interface Wallet {
  name: string;
  features: {
    'standard:connect'?: { connect(): Promise<{ accounts: readonly Account[] }> };
    'solana:signMessage'?: SignMessage;
  };
}

let wallets: readonly Wallet[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Wallet[]): void {
  wallets = next.filter(({ features }) => features['standard:connect'] && features['solana:signMessage']);
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

/** The wallets of this browser that can sign a message. */
export function useWallets(): readonly Wallet[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wallets,
  );
}

/** The signature of this very address, in base58. */
export async function signWith(wallet: Wallet, address: string, message: string): Promise<string> {
  const { accounts } = await wallet.features['standard:connect']!.connect();
  const account = accounts.find((each) => each.address === address);
  if (!account) {
    throw new Error(`${wallet.name} isn’t using this address. Select it in the wallet, then try again.`);
  }
  const bytes = new TextEncoder().encode(message);
  const [signed] = await wallet.features['solana:signMessage']!.signMessage({ account, message: bytes });
  if (!signed) throw new Error(`${wallet.name} didn’t sign the message.`);
  return base58(signed.signature);
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
