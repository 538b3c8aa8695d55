import { setTimeout as sleep } from 'node:timers/promises';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import type { TestChain } from '../support/chain.ts';
import { createWallet, type Wallet } from '../support/wallet.ts';

export const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';

/** A program's wallet: USDC and no SOL at all. */
export function programWallet(t: TestChain, usdcBaseUnits = 1_000_000_000n): Promise<Wallet> {
  return createWallet(t.chain, { lamports: 0n, usdcBaseUnits });
}

/** Limit of the client, which by default pays a dollar at most. */
const SPEND = { maxAmountPerPayment: '$100' };

/** The unmodified client, with this wallet. */
export function payingClient(t: TestChain, { signer }: Wallet): x402Client {
  const scheme = new ExactSvmScheme(signer as never, { rpcUrl: t.chain.rpcUrl });
  return new x402Client().register('solana:*', scheme).setSpendControls(SPEND);
}

export const JSON_ONLY = { headers: { accept: 'application/json' } };

/** Slots end while a payment is on its way; before it is signed its blockhash must not grow old. */
export async function withSlots<Result>(t: TestChain, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const before = await countSent(t);
  for (let turn = 1; !isDone; turn++) {
    // Now and then in any case: what was sent before it was first counted waits for slots too.
    if (turn % 10 === 0 || (await countSent(t)) > before) t.chain.advanceSlots(1);
    await t.follow();
    await Promise.race([done.catch(() => undefined), sleep(10)]);
  }
  return done;
}

async function countSent({ service }: TestChain): Promise<bigint> {
  const [row] = await service.db.query<{ n: bigint }>('select count(*) as n from sponsored_transactions');
  return row!.n;
}

/** Asks, pays what is asked, and answers what comes then. */
export function payAt(
  t: TestChain,
  wallet: Wallet,
  url: string,
  init: RequestInit = JSON_ONLY,
): Promise<Response> {
  const pay = wrapFetchWithPayment(fetch, payingClient(t, wallet));
  return withSlots(t, pay(url, init));
}

/** Returns what the unmodified client would send for an offer, and may send as often as it likes. */
export async function signOffer(t: TestChain, wallet: Wallet, url: string, paymentId?: string) {
  return signOffered(t, wallet, await fetch(url, JSON_ONLY), paymentId);
}

/** The same for an offer that is there already. */
export async function signOffered(t: TestChain, wallet: Wallet, offered: Response, paymentId?: string) {
  const client = payingClient(t, wallet);
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse((name) => offered.headers.get(name));
  const payload = await client.createPaymentPayload(required);
  if (paymentId)
    payload.extensions = {
      ...payload.extensions,
      'payment-identifier': { info: { required: false, id: paymentId } },
    };
  return { required, payload, headers: http.encodePaymentSignatureHeader(payload) };
}

export function sendPayment(t: TestChain, url: string, headers: Record<string, string>): Promise<Response> {
  return withSlots(t, sendOnce(url, headers));
}

export function sendOnce(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers: { ...headers, ...JSON_ONLY.headers } });
}

/** Decodes a header of the protocol. */
export function decoded(response: Response, name: string) {
  return JSON.parse(Buffer.from(response.headers.get(name)!, 'base64').toString());
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
export const bodyOf = (response: Response): Promise<any> => response.json();
