import { seededRandom } from '@florin/sandbox-chain';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { getCloseAccountInstruction, getTransferInstruction } from '@solana-program/token';
import type { TestChain } from './chain.ts';
import { newIntent, payIntent, sendFrom } from './payments.ts';
import { createOtherAccount } from './tokens.ts';
import { memoInstruction, pay, send } from './wallet.ts';

export type Random = () => number;

/** A whole number from 0 on, less than `below`. */
export const pick = (random: Random, below: number) => Math.floor(random() * below);

/**
 * Lets all kinds of things happen to the merchant's account, several of them in one slot now and then: payments, dust, mentions,
 * failures, withdrawals, money that the merchant moves in, and the account closed and opened again.
 */
export async function liveThrough(t: TestChain, seed: number, steps: number): Promise<void> {
  const random = seededRandom(seed, 0);
  const units = () => BigInt(1 + pick(random, 5_000_000));
  const savings = await createOtherAccount(t.chain.rpcUrl, t.customer.signer, t.merchant.address);
  let held = 0n;
  let saved = 0n;
  const fromMerchant = (source: Address, destination: Address, amount: bigint) =>
    send({
      rpcUrl: t.chain.rpcUrl,
      payer: t.merchant.signer,
      instructions: [getTransferInstruction({ source, destination, authority: t.merchant.signer, amount })],
    });
  async function receive(amount: bigint) {
    await payIntent(t, await newIntent(t.shop), { amountBaseUnits: amount });
    held += amount;
  }
  const kinds: (() => Promise<unknown>)[] = [
    () => receive(units()),
    () => receive(units()),
    () => receive(1_000_000n),
    () => receive(BigInt(1 + pick(random, 9_999))),
    () => mentionAccount(t),
    () => failToPay(t),
    async () => {
      const amount = held / BigInt(1 + pick(random, 4));
      if (amount > 0n) await fromMerchant(t.merchant.usdcAccount, t.customer.usdcAccount, amount);
      held -= amount;
    },
    async () => {
      const amount = held / 2n;
      if (amount > 0n) await fromMerchant(t.merchant.usdcAccount, savings, amount);
      held -= amount;
      saved += amount;
    },
    async () => {
      if (saved > 0n) await fromMerchant(savings, t.merchant.usdcAccount, saved);
      held += saved;
      saved = 0n;
    },
    async () => {
      if (held > 0n) await fromMerchant(t.merchant.usdcAccount, t.customer.usdcAccount, held);
      held = 0n;
      await closeAccount(t);
    },
  ];
  await receive(1_000_000n);
  for (let i = 0; i < steps; i++) {
    const isOpen = held > 0n;
    const kind = isOpen ? pick(random, kinds.length) : pick(random, 4);
    await kinds[kind]!();
    if (random() < 0.6) t.chain.advanceSlots(1 + pick(random, 3));
  }
  t.chain.advanceSlots(1);
  await receive(1_000_000n);
  await t.finalize();
  await t.finalize();
}

/** A transaction that only pays its fee and names the merchant's token account beside a memo. */
export function mentionAccount(t: TestChain): Promise<string> {
  const transfer: Instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: t.customer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: t.customer.address, role: AccountRole.WRITABLE },
      { address: t.merchant.usdcAccount, role: AccountRole.READONLY },
    ],
    data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
  return sendFrom(t, memoInstruction('hello'), transfer);
}

/** A payment of more than the payer has: it lands, and fails. */
function failToPay(t: TestChain): Promise<string> {
  return pay({
    ...{ rpcUrl: t.chain.rpcUrl, from: t.customer.signer, destinationOwner: t.merchant.address },
    ...{ amountBaseUnits: 10n ** 18n, createAccount: false, skipPreflight: true },
  });
}

function closeAccount(t: TestChain): Promise<string> {
  const close = getCloseAccountInstruction({
    account: t.merchant.usdcAccount,
    destination: t.merchant.address,
    owner: t.merchant.signer,
  });
  return send({ rpcUrl: t.chain.rpcUrl, payer: t.merchant.signer, instructions: [close] });
}
