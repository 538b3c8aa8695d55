import type { Refund } from '@florin/sdk';
import { withConfirmation } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useSession } from '../app/session.ts';
import { connect, type Signing, useWallets, type Wallet } from '../parts/wallets.ts';
import { t } from '../words/t.ts';

const SIGN = 'solana:signTransaction';
const SEND = 'solana:signAndSendTransaction';

const CHAINS = { mainnet: 'solana:mainnet', devnet: 'solana:devnet', sandbox: 'solana:localnet' } as const;

/** Maximum of refunds in one transaction. */
export const MAX_AT_ONCE = 10;

/** The wallets of this browser that can send on our chain, and how each sends. */
export function useSenders(): { name: string; send(refunds: readonly Refund[]): Promise<void> }[] {
  const chain = CHAINS[useSession().network];
  return useWallets()
    .filter(({ chains, features }) => chains.includes(chain) && (features[SIGN] || features[SEND]))
    .map((wallet) => ({ name: wallet.name, send: (refunds) => sendWith(wallet, chain, refunds) }));
}

/** One signature for all of them. Where the wallet only signs, the service sends. */
async function sendWith(wallet: Wallet, chain: string, refunds: readonly Refund[]): Promise<void> {
  const account = (await connect(wallet)).find(({ chains }) => chains.includes(chain));
  if (!account) throw new Error(t('{name} has no account on this network.', { name: wallet.name }));
  const prepared = await florin.refunds.prepare({
    ids: refunds.map(({ id }) => id),
    payer: account.address,
    // Somebody else who is sending one of them, in any tab, is ahead; what was not signed here is not.
    unlessPrepared: !refunds.every(({ id }) => unsigned.has(id)),
  });
  const bytes = Uint8Array.from(atob(prepared.transaction), (character) => character.charCodeAt(0));
  const request = { account, chain, transaction: bytes };
  const signed = await signWith(wallet, request).catch((error: unknown) => {
    if (!wallet.features[SEND] || isRefusal(error))
      for (const { id, preparedUntil } of prepared.refunds) unsigned.set(id, preparedUntil);
    throw error;
  });
  for (const { id } of refunds) unsigned.delete(id);
  if (!signed) return;
  const transaction = btoa(String.fromCharCode(...signed));
  await withConfirmation(() => florin.refunds.send({ transaction }));
}

/** A wallet that also sends may have sent it, unless it says that its owner said no. */
function isRefusal(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 4001 || /reject|declin|denied|refus|cancel/i.test(String(message));
}

/** Nothing where the wallet has sent it itself. */
async function signWith(wallet: Wallet, request: Signing): Promise<Uint8Array | undefined> {
  if (wallet.features[SEND]) {
    await wallet.features[SEND].signAndSendTransaction(request);
    return undefined;
  }
  const [signed] = await wallet.features[SIGN]!.signTransaction(request);
  if (!signed) throw new Error(t('{name} didn’t sign the transaction.', { name: wallet.name }));
  return signed.signedTransaction;
}

/** Sends refunds from a test wallet in the place of the merchant's. */
export async function sendWithTestWallet(refunds: readonly Refund[]): Promise<void> {
  for (const { id } of refunds) await florin.sandbox.payRefund(id);
}

/** Prepared for a wallet of this tab that said no, and until when: nobody has signed these. */
const unsigned = new Map<string, string | null>();

/**
 * True if a transaction for it may still land, from any tab or person, as the service knows: sending it again now
 * would pay twice.
 */
export function isUnderWay({ id, preparedUntil }: Refund): boolean {
  return preparedUntil !== null && unsigned.get(id) !== preparedUntil;
}
