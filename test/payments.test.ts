import { AccountRole, type Address, address, generateKeyPairSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getApproveInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '../src/db/invariant.ts';
import { intentInvariants } from '../src/intents/invariants.ts';
import { settlementInvariants } from '../src/settlement/invariants.ts';
import { type TestChain, testChain } from './support/chain.ts';
import {
  createLookupTable,
  createMint,
  createWallet,
  type Payment,
  pay,
  paymentInstructions,
  send,
  usdcMint,
} from './support/wallet.ts';

/** Every way to pay that must be credited, and every way to cheat that must not, as real transactions. */
let t: TestChain;
let rpcUrl: string;

beforeAll(async () => {
  t = await testChain();
  rpcUrl = t.chain.rpcUrl;
});

let orders = 0;
interface NewIntent {
  id: string;
  reference: Address;
}
async function newIntent(amountCents = 100): Promise<NewIntent> {
  const { body } = await t.shop.call('POST', '/api/merchants/intents', {
    amountCents,
    orderId: `p${orders++}`,
  });
  return { id: body.id, reference: address(body.referenceAddress) };
}
const UNITS = 1_000_000n;
const read = async ({ id }: NewIntent) => {
  const { body } = await t.shop.call('GET', `/api/merchants/intents/${id}`);
  return { status: body.status, cents: body.amountReceivedCents };
};
const payIt = (intent: NewIntent, more: Partial<Payment> = {}) =>
  pay({
    rpcUrl,
    from: t.customer.signer,
    destinationOwner: t.merchant.address,
    amountBaseUnits: UNITS,
    references: [intent.reference],
    ...more,
  });
const exceptions = async (signature: string) =>
  (
    await t.service.db.query<{ kind: string }>('select kind from payment_exceptions where signature = $1', [
      signature,
    ])
  ).map((row) => row.kind);
const withReference = (instruction: Instruction, ...references: Address[]): Instruction => ({
  ...instruction,
  accounts: [
    ...(instruction.accounts ?? []),
    ...references.map((reference) => ({ address: reference, role: AccountRole.READONLY as const })),
  ],
});

describe('legal shapes are credited', () => {
  const legal: [string, (intent: NewIntent) => Promise<unknown>][] = [
    ['TransferChecked with the account made in the same transaction', (intent) => payIt(intent)],
    ['a legacy transaction', (intent) => payIt(intent, { version: 'legacy' })],
    ['a version 1 transaction', (intent) => payIt(intent, { version: 1 })],
    ['with a memo', (intent) => payIt(intent, { memo: 'thanks' })],
    [
      'plain Transfer',
      async (intent) => {
        const transfer = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.customer.signer,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [withReference(transfer, intent.reference)],
        });
      },
    ],
    [
      'the reference in another instruction',
      async (intent) => {
        const transfer = getTransferInstruction({
          source: t.customer.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.customer.signer,
          amount: UNITS,
        });
        const dust = getTransferSolInstruction({
          source: t.customer.signer,
          destination: intent.reference,
          amount: 1_000_000n,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [dust, transfer] });
      },
    ],
    [
      'guard instructions around the transfer',
      async (intent) => {
        const guard = getTransferSolInstruction({
          source: t.customer.signer,
          destination: t.customer.address,
          amount: 1n,
        });
        await payIt(intent, { before: [guard], after: [guard] });
      },
    ],
    [
      'somebody else pays the fee',
      async (intent) => {
        const sponsor = await createWallet(t.chain);
        await payIt(intent, { payer: sponsor.signer });
      },
    ],
    [
      'accounts from a lookup table',
      async (intent) => {
        const lookupTables = await createLookupTable(rpcUrl, t.customer.signer, [
          t.merchant.usdcAccount,
          intent.reference,
          usdcMint,
        ]);
        t.chain.advanceSlots(2);
        await payIt(intent, { lookupTables });
      },
    ],
    [
      'a delegate spends',
      async (intent) => {
        const delegate = await createWallet(t.chain);
        const approve = getApproveInstruction({
          source: t.customer.usdcAccount,
          delegate: delegate.address,
          owner: t.customer.signer,
          amount: UNITS,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [approve] });
        const transfer = getTransferCheckedInstruction({
          source: t.customer.usdcAccount,
          mint: usdcMint,
          destination: t.merchant.usdcAccount,
          authority: delegate.signer,
          amount: UNITS,
          decimals: 6,
        });
        await send({
          rpcUrl,
          payer: delegate.signer,
          instructions: [withReference(transfer, intent.reference)],
        });
      },
    ],
    [
      'the same reference twice in one transaction',
      async (intent) => payIt(intent, { references: [intent.reference, intent.reference] }),
    ],
    [
      'two transfers that add up',
      async (intent) => {
        const half = () =>
          paymentInstructions({
            rpcUrl,
            from: t.customer.signer,
            destinationOwner: t.merchant.address,
            amountBaseUnits: UNITS / 2n,
            references: [intent.reference],
          });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [...(await half()), ...(await half())],
        });
      },
    ],
    [
      'the merchant’s own wallet as payer of a customer’s transfer',
      (intent) => payIt(intent, { payer: t.merchant.signer }),
    ],
  ];

  test.each(legal)('%s', async (_name, act) => {
    const intent = await newIntent();
    await act(intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect(await read(intent)).toEqual({ status: 'processing', cents: 0 });
    await t.finalize();
    expect(await read(intent)).toEqual({ status: 'succeeded', cents: 100 });
  });

  test('two merchants paid in one transaction', async () => {
    const otherWallet = await createWallet(t.chain);
    const other = await t.service.createMerchant('Other', otherWallet.address);
    const theirs = (await other.call('POST', '/api/merchants/intents', { amountCents: 50, orderId: 'x' }))
      .body;
    const ours = await newIntent();
    const base = { rpcUrl, from: t.customer.signer };
    await send({
      rpcUrl,
      payer: t.customer.signer,
      instructions: [
        ...(await paymentInstructions({
          ...base,
          destinationOwner: t.merchant.address,
          amountBaseUnits: UNITS,
          references: [ours.reference],
        })),
        ...(await paymentInstructions({
          ...base,
          destinationOwner: otherWallet.address,
          amountBaseUnits: UNITS / 2n,
          references: [address(theirs.referenceAddress)],
        })),
      ],
    });
    await t.finalize();
    expect(await read(ours)).toEqual({ status: 'succeeded', cents: 100 });
    expect((await other.call('GET', `/api/merchants/intents/${theirs.id}`)).body).toMatchObject({
      status: 'succeeded',
      amountReceivedCents: 50,
    });
  });

  test('two transfers for two intents in one transaction', async () => {
    const [a, b] = [await newIntent(100), await newIntent(50)];
    const base = { rpcUrl, from: t.customer.signer, destinationOwner: t.merchant.address };
    await send({
      rpcUrl,
      payer: t.customer.signer,
      instructions: [
        ...(await paymentInstructions({ ...base, amountBaseUnits: UNITS, references: [a.reference] })),
        ...(await paymentInstructions({ ...base, amountBaseUnits: UNITS / 2n, references: [b.reference] })),
      ],
    });
    await t.finalize();
    expect([await read(a), await read(b)]).toEqual([
      { status: 'succeeded', cents: 100 },
      { status: 'succeeded', cents: 50 },
    ]);
  });

  test('money minted straight into the account counts by balance', async () => {
    // No transfer instruction exists at all; the balance grew and the reference is named.
    const intent = await newIntent();
    const dust = getTransferSolInstruction({
      source: t.customer.signer,
      destination: intent.reference,
      amount: 1_000_000n,
    });
    const [payment] = (
      await paymentInstructions({
        rpcUrl,
        from: t.customer.signer,
        destinationOwner: t.merchant.address,
        amountBaseUnits: UNITS,
      })
    ).slice(-1);
    await send({ rpcUrl, payer: t.customer.signer, instructions: [dust, payment!] });
    await t.finalize();
    expect(await read(intent)).toEqual({ status: 'succeeded', cents: 100 });
  });
});

describe('cheats are not credited', () => {
  const cheats: [string, (intent: NewIntent) => Promise<unknown>][] = [
    [
      'a fake mint',
      async (intent) => {
        const mint = await createMint(rpcUrl, t.customer.signer, UNITS);
        await payIt(intent, { mint });
      },
    ],
    [
      'to another owner',
      async (intent) => payIt(intent, { destinationOwner: (await createWallet(t.chain)).address }),
    ],
    ['to oneself', (intent) => payIt(intent, { destinationOwner: t.customer.address })],
    [
      'a failing transaction',
      (intent) => payIt(intent, { amountBaseUnits: 10n ** 18n, skipPreflight: true }),
    ],
    [
      'dust of SOL on the reference',
      async (intent) => {
        const dust = getTransferSolInstruction({
          source: t.customer.signer,
          destination: intent.reference,
          amount: 1_000_000n,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [dust] });
      },
    ],
    [
      'SOL to the merchant',
      async (intent) => {
        const gift = getTransferSolInstruction({
          source: t.customer.signer,
          destination: t.merchant.address,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.customer.signer,
          instructions: [withReference(gift, intent.reference)],
        });
      },
    ],
    [
      'paid and taken back by the merchant’s signature',
      async (intent) => {
        const there = await paymentInstructions({
          rpcUrl,
          from: t.customer.signer,
          destinationOwner: t.merchant.address,
          amountBaseUnits: UNITS,
          references: [intent.reference],
        });
        const back = await paymentInstructions({
          rpcUrl,
          from: t.merchant.signer,
          destinationOwner: t.customer.address,
          amountBaseUnits: UNITS,
        });
        await send({ rpcUrl, payer: t.customer.signer, instructions: [...there, ...back] });
      },
    ],
    ['a transfer of nothing', (intent) => payIt(intent, { amountBaseUnits: 0n })],
    [
      'an account handed over with money in it',
      async (intent) => {
        const giver = await createWallet(t.chain, { usdcBaseUnits: UNITS });
        const gift = getSetAuthorityInstruction({
          owned: giver.usdcAccount,
          owner: giver.signer,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: t.merchant.address,
        });
        await send({ rpcUrl, payer: giver.signer, instructions: [withReference(gift, intent.reference)] });
      },
    ],
    [
      'the merchant moving money between own accounts',
      async (intent) => {
        const giver = await createWallet(t.chain, { usdcBaseUnits: UNITS });
        const gift = getSetAuthorityInstruction({
          owned: giver.usdcAccount,
          owner: giver.signer,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: t.merchant.address,
        });
        await send({ rpcUrl, payer: giver.signer, instructions: [gift] });
        const shuffle = getTransferInstruction({
          source: giver.usdcAccount,
          destination: t.merchant.usdcAccount,
          authority: t.merchant.signer,
          amount: UNITS,
        });
        await send({
          rpcUrl,
          payer: t.merchant.signer,
          instructions: [withReference(shuffle, intent.reference)],
        });
      },
    ],
    [
      'a memo that claims to have paid',
      (intent) => payIt(intent, { amountBaseUnits: 0n, memo: `paid ${intent.id} 100` }),
    ],
    [
      'somebody else’s reference',
      async (intent) => {
        await newIntent();
        const stranger = await generateKeyPairSigner();
        await payIt({ ...intent, reference: stranger.address });
      },
    ],
  ];

  test.each(cheats)('%s', async (_name, act) => {
    const intent = await newIntent();
    await act(intent);
    await t.finalize();
    await t.finalize();
    const { status, cents } = await read(intent);
    expect(cents).toBe(0);
    expect(['pending', 'failed']).toContain(status);
  });

  test('one transfer naming two intents is nobody’s, and listed', async () => {
    const [a, b] = [await newIntent(), await newIntent()];
    const signature = await payIt(a, { references: [a.reference, b.reference] });
    await t.finalize();
    expect([(await read(a)).cents, (await read(b)).cents]).toEqual([0, 0]);
    expect(await exceptions(signature)).toEqual(['ambiguous']);
  });

  test('no reference at all: listed as unmatched', async () => {
    const signature = await payIt(await newIntent(), { references: [] });
    await t.finalize();
    expect(await exceptions(signature)).toEqual(['unmatched']);
  });
});

describe('the way of a payment', () => {
  test('part by part, then too much', async () => {
    const intent = await newIntent();
    await payIt(intent, { amountBaseUnits: 400_000n });
    await t.finalize();
    expect(await read(intent)).toEqual({ status: 'underpaid', cents: 40 });
    const last = await payIt(intent, { amountBaseUnits: 700_000n });
    await t.finalize();
    expect(await read(intent)).toEqual({ status: 'succeeded', cents: 110 });
    expect(await exceptions(last)).toEqual(['surplus']);
  });

  test('confirmed and then dropped by the chain: back to pending; sent again it counts', async () => {
    const intent = await newIntent();
    await payIt(intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect((await read(intent)).status).toBe('processing');
    expect(t.chain.rollBack(4)).toHaveLength(1);
    await t.finalize();
    await t.finalize();
    expect(await read(intent)).toEqual({ status: 'pending', cents: 0 });
    await payIt(intent);
    await t.finalize();
    expect((await read(intent)).status).toBe('succeeded');
  });

  test('expires when its time has passed on chain, and a late payment still counts', async () => {
    const intent = await newIntent();
    t.service.clock.setOffsetMs(31 * 60_000);
    expect(await t.expire()).toBe(0);
    await t.finalize();
    expect(await t.expire()).toBeGreaterThan(0);
    expect((await read(intent)).status).toBe('expired');
    await payIt(intent);
    t.chain.advanceSlots(3);
    await t.look();
    expect((await read(intent)).status).toBe('processing');
    await t.finalize();
    expect((await read(intent)).status).toBe('succeeded');
  });

  test('a closer look by reference finds what never touched the account', async () => {
    const intent = await newIntent();
    const mint = await createMint(rpcUrl, t.customer.signer, UNITS);
    const signature = await payIt(intent, { mint });
    t.chain.advanceSlots(40);
    expect((await t.shop.call('GET', `/api/public/intents/${intent.id}`)).status).toBe(200);
    const { checkReferences } = await import('../src/watcher/check-references.ts');
    const { chainNodes } = await import('../src/watcher/chain.ts');
    const { createRpc } = await import('../src/solana/rpc.ts');
    await checkReferences(
      t.service.db,
      chainNodes(createRpc({ urls: [rpcUrl] })),
      usdcMint,
      t.service.clock.now(),
    );
    expect((await read(intent)).status).toBe('failed');
    expect(await exceptions(signature)).toEqual(['wrong_mint']);
  });
});

test('after all of it the books balance, and every dollar is explained', async () => {
  const results = await checkInvariants(t.service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});
