import { setTimeout as sleep } from 'node:timers/promises';
import { Mppx, solana } from '@solana/mpp/client';
import { Challenge, Credential } from 'mppx';
import type { TestChain } from '../support/chain.ts';
import type { Wallet } from '../support/wallet.ts';

export interface ClientOptions {
  /** The client sends its transaction and proves it with the signature. */
  broadcast?: boolean;
  /** Makes another transaction of the same payment. */
  computeUnitLimit?: number;
}

/** The unmodified method, with this wallet. */
function chargeBy(t: TestChain, { signer }: Wallet, options: ClientOptions = {}) {
  return solana.charge({ signer: signer as never, rpcUrl: t.chain.rpcUrl, ...options });
}

/** Number of calls that wait on a chain. */
const waiting = new WeakMap<TestChain, number>();

/**
 * Slots end while somebody waits for them, about as fast as a client can follow: no faster for ten who wait at once, or what they
 * have signed would lapse before a slow machine has sent it.
 */
export async function withSlots<Result>(t: TestChain, work: Promise<Result>): Promise<Result> {
  const before = waiting.get(t) ?? 0;
  waiting.set(t, before + 1);
  void endSlots(t);
  return work.finally(() => waiting.set(t, waiting.get(t)! - 1));
}

const ending = new WeakSet<TestChain>();

/** One loop for each chain, or calls that follow each other would end slots faster and faster, until nodes forget what has landed. */
async function endSlots(t: TestChain): Promise<void> {
  if (ending.has(t)) return;
  ending.add(t);
  while (waiting.get(t)! > 0) {
    await sleep(50);
    if (waiting.get(t)! > 0) t.chain.advanceSlots(1);
  }
  ending.delete(t);
}

/** Asks, pays what is asked, and answers what comes then. */
export function payAt(t: TestChain, wallet: Wallet, url: string, options?: ClientOptions): Promise<Response> {
  return withSlots(t, Mppx.create({ methods: [chargeBy(t, wallet, options)], polyfill: false }).fetch(url));
}

/** Headers with which the client asks. */
export const ASK = { headers: { 'accept-payment': 'solana/charge' } };

/** Returns what the unmodified client would send for the first offer, and may send as often as it likes. */
export async function credentialFor(t: TestChain, wallet: Wallet, url: string, options?: ClientOptions) {
  return accept(t, wallet, challengesOf(await fetch(url, ASK))[0]!, options);
}

export function accept(
  t: TestChain,
  wallet: Wallet,
  challenge: Challenge.Challenge,
  options?: ClientOptions,
): Promise<string> {
  return withSlots(t, chargeBy(t, wallet, options).createCredential({ challenge: challenge as never }));
}

export function present(t: TestChain, url: string, authorization: string): Promise<Response> {
  return withSlots(t, fetch(url, { headers: { authorization } }));
}

/** The same credential with something else in its place. */
export function changed(
  authorization: string,
  change: (parts: { challenge: Challenge.Challenge; payload: Record<string, string> }) => object,
): string {
  const { challenge, payload } = Credential.deserialize<Record<string, string>>(authorization);
  return Credential.serialize({ challenge, payload, ...change({ challenge, payload }) } as never);
}

export function challengeOf(authorization: string): Challenge.Challenge {
  return Credential.deserialize(authorization).challenge;
}

export function payloadOf(authorization: string): Record<string, string> {
  return Credential.deserialize<Record<string, string>>(authorization).payload;
}

export function challengesOf(response: Response): Challenge.Challenge[] {
  return Challenge.fromResponseList(response);
}
