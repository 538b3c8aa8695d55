import { useSyncExternalStore } from 'react';
import { withConfirmation } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useSession } from '../app/session.ts';
import { connect, useWallets, type Wallet } from '../parts/wallets.ts';

const SIGN = 'solana:signTransaction';
const SEND = 'solana:signAndSendTransaction';

const CHAINS = { mainnet: 'solana:mainnet', devnet: 'solana:devnet', sandbox: 'solana:localnet' } as const;

/** As many as one transaction takes. */
export const MAX_AT_ONCE = 10;

/** The wallets of this browser that can send on our chain, and how each sends. */
export function useSenders(): { name: string; send(ids: readonly string[]): Promise<void> }[] {
  const chain = CHAINS[useSession().network];
  return useWallets()
    .filter(({ chains, features }) => chains.includes(chain) && (features[SIGN] || features[SEND]))
    .map((wallet) => ({ name: wallet.name, send: (ids) => sendWith(wallet, chain, ids) }));
}

/** One signature for all of them. Where the wallet only signs, the service sends. */
async function sendWith(wallet: Wallet, chain: string, ids: readonly string[]): Promise<void> {
  const account = (await connect(wallet)).find(({ chains }) => chains.includes(chain));
  if (!account) throw new Error(`${wallet.name} has no account on this network.`);
  const prepared = await florin.refunds.prepare({ ids: [...ids], payer: account.address });
  const bytes = Uint8Array.from(atob(prepared.transaction), (character) => character.charCodeAt(0));
  const request = { account, chain, transaction: bytes };
  if (wallet.features[SEND]) {
    await wallet.features[SEND].signAndSendTransaction(request);
    noteSent(ids);
    return;
  }
  const [signed] = await wallet.features[SIGN]!.signTransaction(request);
  if (!signed) throw new Error(`${wallet.name} didn’t sign the transaction.`);
  // A lost answer does not mean that it was not sent.
  noteSent(ids);
  const transaction = btoa(String.fromCharCode(...signed.signedTransaction));
  await withConfirmation(() => florin.refunds.send({ transaction }));
}

/** From a test wallet in the place of the merchant's. */
export async function sendWithTestWallet(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await florin.sandbox.payRefund(id);
    noteSent([id]);
  }
}

/** A transaction that no block has taken by then never will be taken. */
const GIVE_UP_MS = 90_000;

const sent = new Set<string>();
const listeners = new Set<() => void>();

function noteSent(ids: readonly string[]): void {
  const mark = (change: (id: string) => void) => {
    for (const id of ids) change(id);
    for (const listener of listeners) listener();
  };
  mark((id) => sent.add(id));
  setTimeout(() => mark((id) => sent.delete(id)), GIVE_UP_MS);
}

/** Whether one of them is on its way, though the chain does not show it yet: sent again now, it would be sent twice. */
export function useIsSent(ids: readonly string[]): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ids.some((id) => sent.has(id)),
  );
}
