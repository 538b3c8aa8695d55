import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import { getTransferCheckedInstruction, getTransferInstruction } from '@solana-program/token';
import type { TestChain } from '../support/chain.ts';
import { newAddress } from '../support/service.ts';
import { memoInstruction, tokenAccountOf, usdcMint, type Wallet } from '../support/wallet.ts';
import { DEVNET, programWallet } from './x402-client.ts';

/** A payment as a facilitator is asked about it. */
export interface FacilitatorRequest {
  x402Version: 2;
  paymentPayload: { x402Version: 2; accepted: Requirements; payload: { transaction: string } };
  paymentRequirements: Requirements;
}

interface Requirements {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

interface Draft {
  wallet: Wallet;
  feePayer: Address;
  instructions: Instruction[];
}

const MEMO = 'the memo that was required';
const AMOUNT = 20_000n;

function requirementsOf(t: TestChain): Requirements {
  return {
    scheme: 'exact',
    network: DEVNET,
    amount: AMOUNT.toString(),
    asset: usdcMint,
    payTo: t.merchant.address,
    maxTimeoutSeconds: 300,
    extra: { feePayer: t.sponsor.feePayer.address, memo: MEMO },
  };
}

let drafts = 0;

/** Draft of a payment as a client of the protocol makes it; the unit limit counts up, so that no two are the same. */
async function draftOf(t: TestChain, wallet: Wallet): Promise<Draft> {
  const transfer = getTransferCheckedInstruction({
    source: wallet.usdcAccount,
    mint: usdcMint,
    destination: await tokenAccountOf(t.merchant.address),
    authority: wallet.signer,
    amount: AMOUNT,
    decimals: 6,
  });
  return {
    wallet,
    feePayer: address(t.sponsor.feePayer.address),
    instructions: [
      getSetComputeUnitLimitInstruction({ units: 20_000 + drafts++ }),
      getSetComputeUnitPriceInstruction({ microLamports: 1n }),
      transfer,
      memoInstruction(MEMO),
    ],
  };
}

async function wireOf(t: TestChain, { feePayer, instructions }: Draft): Promise<string> {
  const { value: latest } = await createSolanaRpc(t.chain.rpcUrl).getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(feePayer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message));
}

function requestOf(transaction: string, required: Requirements, accepted = required): FacilitatorRequest {
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload: { transaction } },
    paymentRequirements: required,
  };
}

type Change = (draft: Draft, t: TestChain) => Draft | Promise<Draft>;

const replaceAt = (draft: Draft, at: number, ...instructions: Instruction[]): Draft => ({
  ...draft,
  instructions: draft.instructions.toSpliced(at, 1, ...instructions),
});

async function transferOf(t: TestChain, { wallet }: Draft, more: object): Promise<Instruction> {
  const plain = {
    source: wallet.usdcAccount,
    mint: usdcMint,
    authority: wallet.signer,
    amount: AMOUNT,
    decimals: 6,
  };
  return getTransferCheckedInstruction({
    ...plain,
    destination: await tokenAccountOf(t.merchant.address),
    ...more,
  });
}

const add =
  (...instructions: Instruction[]): Change =>
  (draft) => ({
    ...draft,
    instructions: [...draft.instructions, ...instructions],
  });

/** Each signed again by the payer: what is wrong is what it says, not its signature. */
const CHANGES: Record<string, Change> = {
  nothing: (draft) => draft,
  'a base unit more': async (draft, t) =>
    replaceAt(draft, 2, await transferOf(t, draft, { amount: AMOUNT + 1n })),
  'a base unit less': async (draft, t) =>
    replaceAt(draft, 2, await transferOf(t, draft, { amount: AMOUNT - 1n })),
  'to somebody else': async (draft, t) =>
    replaceAt(
      draft,
      2,
      await transferOf(t, draft, { destination: await tokenAccountOf(address(newAddress())) }),
    ),
  'another mint': async (draft, t) =>
    replaceAt(draft, 2, await transferOf(t, draft, { mint: address(newAddress()) })),
  'a transfer that names no mint': async (draft, t) =>
    replaceAt(
      draft,
      2,
      getTransferInstruction({
        source: draft.wallet.usdcAccount,
        destination: await tokenAccountOf(t.merchant.address),
        authority: draft.wallet.signer,
        amount: AMOUNT,
      }),
    ),
  'another fee payer': (draft) => ({ ...draft, feePayer: address(newAddress()) }),
  'the payer pays the fee': (draft) => ({ ...draft, feePayer: draft.wallet.address }),
  'no memo': (draft) => ({ ...draft, instructions: draft.instructions.slice(0, 3) }),
  'two memos': add(memoInstruction(MEMO)),
  'another memo': (draft) => replaceAt(draft, 3, memoInstruction('another')),
  'a second transfer': async (draft, t) => add(await transferOf(t, draft, {}))(draft, t),
  'lamports too': (draft, t) =>
    add(
      getTransferSolInstruction({ source: draft.wallet.signer, destination: t.merchant.address, amount: 1n }),
    )(draft, t),
  'an unknown program at the end': (draft, t) =>
    add(memoLike(), memoLike(), { programAddress: address(newAddress()), data: new Uint8Array() })(draft, t),
  'too many instructions': add(memoLike(), memoLike(), memoLike(), memoLike()),
  'too few instructions': (draft) => ({ ...draft, instructions: draft.instructions.slice(1, 3) }),
  'no unit limit': (draft) => replaceAt(draft, 0, getSetComputeUnitPriceInstruction({ microLamports: 1n })),
  'no unit price': (draft) => replaceAt(draft, 1, getSetComputeUnitLimitInstruction({ units: 1 })),
  'a price bomb': (draft) =>
    replaceAt(draft, 1, getSetComputeUnitPriceInstruction({ microLamports: 5_000_001n })),
  'the transfer first': (draft) => ({ ...draft, instructions: draft.instructions.toReversed() }),
  'too few units': (draft) =>
    replaceAt(draft, 0, getSetComputeUnitLimitInstruction({ units: 100 + drafts++ })),
  'a wallet without money': async (_draft, t) => {
    const poor = await programWallet(t, 1n);
    return draftOf(t, poor);
  },
};

function memoLike(): Instruction {
  const program = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
  return {
    programAddress: program,
    accounts: [{ address: usdcMint, role: AccountRole.READONLY }],
    data: new Uint8Array([255]),
  };
}

const WORDS: Record<string, (required: Requirements) => { required: Requirements; accepted?: Requirements }> =
  {
    'another scheme': (required) => ({ required: { ...required, scheme: 'upto' } }),
    'another scheme accepted': (required) => ({ required, accepted: { ...required, scheme: 'upto' } }),
    'another network accepted': (required) => ({
      required,
      accepted: { ...required, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    }),
    'no fee payer required': (required) => ({ required: { ...required, extra: { memo: MEMO } } }),
    'a fee payer we do not have': (required) => ({
      required: { ...required, extra: { feePayer: newAddress() } },
    }),
    'a higher price': (required) => ({ required: { ...required, amount: '30000' } }),
    'another address': (required) => ({ required: { ...required, payTo: newAddress() } }),
    'another token': (required) => ({ required: { ...required, asset: newAddress() } }),
    'another memo required': (required) => ({
      required: { ...required, extra: { ...required.extra, memo: 'florin:another' } },
    }),
  };

/** Flips bits anywhere, and cuts or lengthens. */
function damage(wire: string, random: () => number): string {
  const bytes = Buffer.from(wire, 'base64');
  const kind = Math.floor(random() * 4);
  if (kind === 0) return bytes.subarray(0, Math.floor(random() * bytes.length)).toString('base64');
  const at = Math.floor(random() * bytes.length);
  bytes[at] = bytes[at]! ^ (1 + Math.floor(random() * 255));
  return bytes.toString('base64');
}

const pick = <Value>(values: readonly Value[], random: () => number) =>
  values[Math.floor(random() * values.length)]!;

export const mutations = {
  /** A payment that is right in every way. */
  async sound(t: TestChain, wallet: Wallet): Promise<FacilitatorRequest> {
    return requestOf(await wireOf(t, await draftOf(t, wallet)), requirementsOf(t));
  },
  async any(
    t: TestChain,
    wallet: Wallet,
    random: () => number,
  ): Promise<{ name: string; body: FacilitatorRequest }> {
    const required = requirementsOf(t);
    const draft = await draftOf(t, wallet);
    const kind = random();
    if (kind < 0.6) {
      const name = pick(Object.keys(CHANGES), random);
      const changed = await CHANGES[name]!(draft, t);
      return { name, body: requestOf(await wireOf(t, changed), required) };
    }
    if (kind < 0.8) {
      const name = pick(Object.keys(WORDS), random);
      const said = WORDS[name]!(required);
      return { name, body: requestOf(await wireOf(t, draft), said.required, said.accepted) };
    }
    const transaction = damage(await wireOf(t, draft), random);
    return { name: `damage ${transaction.length}`, body: requestOf(transaction, required) };
  },
};
