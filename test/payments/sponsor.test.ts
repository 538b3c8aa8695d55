import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { sponsorInvariants } from '../../src/payments/sponsor/invariants.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import {
  expectSoundBooks,
  type NewIntent,
  newIntent,
  readIntent,
  signed,
  UNITS,
} from '../support/payments.ts';
import { call } from '../support/service.ts';
import {
  createLookupTable,
  createWallet,
  memoInstruction,
  tokenAccountOf,
  usdcMint,
  type Wallet,
} from '../support/wallet.ts';

let t: TestChain;
/** USDC and not a lamport. */
let payer: Wallet;

beforeAll(async () => {
  t = await testChain();
  await t.chain.mintTo(t.merchant.address, 1n);
  payer = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10n ** 12n });
  t.chain.advanceSlots(40);
});

const ask = (id: string, account: string) =>
  call(`${t.service.url}/api/public/intents/${id}/transaction`, 'POST', { account });
const send = (id: string, transaction: string) =>
  call(`${t.service.url}/api/public/intents/${id}/send`, 'POST', { transaction });

async function balance(owner: string): Promise<bigint> {
  const { value } = await createSolanaRpc(t.chain.rpcUrl)
    .getBalance(address(owner), { commitment: 'processed' })
    .send();
  return value;
}
const sponsorBalance = () => balance(t.sponsor.feePayer.address);

async function rows() {
  return t.service.db.query<{ state: string; via: string; fee: bigint; failed: boolean }>(
    'select state, via, fee_lamports as fee, has_failed as failed from sponsored_transactions order by created_at',
  );
}

async function expectNothingSigned(act: () => Promise<unknown>): Promise<void> {
  const before = [await sponsorBalance(), (await rows()).length];
  await act();
  await t.finalize();
  expect([await sponsorBalance(), (await rows()).length]).toEqual(before);
  const results = await checkInvariants(t.service.db, sponsorInvariants);
  expect(results.filter(({ violations }) => violations.length > 0)).toEqual([]);
}

describe('a payer without a lamport', () => {
  test('signs what the sponsor pays the fee of; it lands once, however often it is sent', async () => {
    const intent = await newIntent(t.shop);
    const { body } = await ask(intent.id, payer.address);
    expect(body).toMatchObject({ isSponsored: true, feePayer: t.sponsor.feePayer.address });
    const transaction = await signed(body.transaction, payer.signer);
    const before = await sponsorBalance();
    const first = await send(intent.id, transaction);
    expect(first.status).toBe(202);
    for (let again = 0; again < 4; again++)
      expect((await send(intent.id, transaction)).text, 'the same payment').toBe(first.text);
    await t.finalize();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
    const late = await send(intent.id, transaction);
    expect([late.status, late.text], 'a page that lost the answer gets it').toEqual([202, first.text]);
    const { body: paid } = await t.shop.call('GET', `/api/merchants/intents/${intent.id}`);
    expect(paid).toMatchObject({ paidVia: 'wallet', payerAddress: payer.address });
    await t.follow();
    const [row] = (await rows()).slice(-1);
    expect(row).toMatchObject({ state: 'landed', via: 'wallet', failed: false });
    expect(before - (await sponsorBalance())).toBe(row!.fee);
    expect(await balance(payer.address)).toBe(0n);
    await expectSoundBooks(t);
  });

  test('the merchant sees what was spent, and can switch it off', async () => {
    const { body } = await t.shop.call('GET', '/api/v2/sponsor');
    const spent = (await rows())
      .filter(({ state }) => state !== 'dropped')
      .reduce((sum, { fee }) => sum + fee, 0n);
    expect(body).toMatchObject({
      ...{ isOn: true, reasonOff: null, sponsorFees: 'when_needed', address: t.sponsor.feePayer.address },
      ...{ spentTodayLamports: Number(spent), limitLamportsPerDay: 50_000_000, transactionsTodayCount: 1 },
    });
    const intent = await newIntent(t.shop);
    const prepared = await signed((await ask(intent.id, payer.address)).body.transaction, payer.signer);
    const off = await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'never' });
    expect(off.body.sponsorFees).toBe('never');
    expect((await ask(intent.id, payer.address)).body).toMatchObject({ isSponsored: false });
    await expectNothingSigned(async () => expect((await send(intent.id, prepared)).status).toBe(409));
    await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'always' });
    expect((await ask(intent.id, t.customer.address)).body).toMatchObject({ isSponsored: true });
    await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'when_needed' });
    expect((await ask(intent.id, t.customer.address)).body, 'who has SOL pays').toMatchObject({
      isSponsored: false,
      feePayer: t.customer.address,
    });
    expect((await t.shop.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'sometimes' })).status).toBe(400);
  });

  test('when needed is asked again when it is sent: SOL that came meanwhile pays the fee', async () => {
    const { address: owner, signer } = await createWallet(t.chain, {
      lamports: 0n,
      usdcBaseUnits: 10_000_000n,
    });
    const intent = await newIntent(t.shop);
    const { body } = await ask(intent.id, owner);
    expect(body.isSponsored).toBe(true);
    const prepared = await signed(body.transaction, signer);
    await t.chain.fund(address(owner));
    t.chain.advanceSlots(40);
    await expectNothingSigned(async () => {
      const refused = await send(intent.id, prepared);
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        expect.stringContaining('has SOL for the network fee'),
      ]);
    });
    expect((await ask(intent.id, owner)).body.isSponsored).toBe(false);
  });
});

/** A transaction of anybody's making with the sponsor as its fee payer, signed by all others. */
async function craft(
  instructions: Instruction[],
  options: {
    signers?: KeyPairSigner[];
    tables?: Record<Address, Address[]>;
    nonce?: true;
    version?: 'legacy' | 0;
  } = {},
): Promise<string> {
  const { value: latest } = await createSolanaRpc(t.chain.rpcUrl)
    .getLatestBlockhash({ commitment: 'processed' })
    .send();
  const sponsor = createNoopSigner(address(t.sponsor.feePayer.address));
  const draft = pipe(
    createTransactionMessage({ version: (options.version ?? 0) as 0 }),
    (message) => setTransactionMessageFeePayerSigner(sponsor, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) =>
      options.nonce
        ? (setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: latest.blockhash as never,
              nonceAccountAddress: t.customer.address,
              nonceAuthorityAddress: payer.address,
            },
            message,
          ) as never)
        : setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: latest.blockhash as Blockhash, lastValidBlockHeight: latest.lastValidBlockHeight },
            message,
          ),
  );
  const message = options.tables
    ? compressTransactionMessageUsingAddressLookupTables(draft as never, options.tables)
    : draft;
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message as never));
}

async function transfer(intent: NewIntent, more: { amount?: bigint; to?: Address; extra?: Address[] } = {}) {
  const instruction = getTransferCheckedInstruction({
    source: payer.usdcAccount,
    mint: usdcMint,
    destination: await tokenAccountOf(more.to ?? t.merchant.address),
    authority: payer.signer,
    amount: more.amount ?? UNITS,
    decimals: 6,
  });
  const named = [intent.reference, ...(more.extra ?? [])];
  return {
    ...instruction,
    accounts: [
      ...instruction.accounts,
      ...named.map((name) => ({ address: name, role: AccountRole.READONLY })),
    ],
  };
}

const limit = (units: number) => getSetComputeUnitLimitInstruction({ units });
const price = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });

describe('attacks: nothing is signed, and the sponsor loses nothing', () => {
  type Make = (intent: NewIntent) => Promise<Instruction[]>;
  const sponsorSigner = () => createNoopSigner(address(t.sponsor.feePayer.address));
  const attacks: [string, Make][] = [
    [
      'a transfer of the sponsor’s SOL beside the payment',
      async (intent) => [
        await transfer(intent),
        getTransferSolInstruction({ source: sponsorSigner(), destination: payer.address, amount: 1n }),
      ],
    ],
    [
      'the sponsor in the accounts of the transfer',
      async (intent) => [await transfer(intent, { extra: [address(t.sponsor.feePayer.address)] })],
    ],
    [
      'a stranger’s account in the transfer',
      async (intent) => [await transfer(intent, { extra: [t.customer.address] })],
    ],
    ['two transfers', async (intent) => [await transfer(intent), await transfer(intent)]],
    [
      'a token account made at the sponsor’s expense',
      async (intent) => [
        await getCreateAssociatedTokenIdempotentInstructionAsync({
          payer: sponsorSigner(),
          owner: (await generateKeyPairSigner()).address,
          mint: usdcMint,
        }),
        await transfer(intent),
      ],
    ],
    [
      'approve',
      async (intent) => [
        getApproveInstruction({
          source: payer.usdcAccount,
          delegate: t.customer.address,
          owner: payer.signer,
          amount: 1n,
        }),
        await transfer(intent),
      ],
    ],
    [
      'setAuthority',
      async (intent) => [
        await transfer(intent),
        getSetAuthorityInstruction({
          owned: payer.usdcAccount,
          owner: payer.signer,
          authorityType: 2,
          newAuthority: t.customer.address,
        }),
      ],
    ],
    [
      'closeAccount',
      async (intent) => [
        await transfer(intent),
        getCloseAccountInstruction({
          account: payer.usdcAccount,
          destination: payer.address,
          owner: payer.signer,
        }),
      ],
    ],
    ['one unit less', async (intent) => [await transfer(intent, { amount: UNITS - 1n })]],
    ['one unit more', async (intent) => [await transfer(intent, { amount: UNITS + 1n })]],
    ['to somebody else', async (intent) => [await transfer(intent, { to: t.customer.address })]],
    ['a price bomb', async (intent) => [limit(400_000), price(10_000_000n), await transfer(intent)]],
    ['a price without a limit', async (intent) => [price(1_000_000n), await transfer(intent)]],
    ['a limit beyond ours', async (intent) => [limit(400_001), await transfer(intent)]],
    ['two limits', async (intent) => [limit(1_000), limit(200_000), await transfer(intent)]],
    ['no transfer at all', async () => [memoInstruction('florin')]],
    [
      'the memo of another order',
      async (intent) => [
        await transfer(intent),
        memoInstruction(`florin:${(await newIntent(t.shop)).reference}/mpp`),
      ],
    ],
    [
      'the reference of another order beside the transfer',
      async (intent) => {
        const other = { address: (await newIntent(t.shop)).reference, role: AccountRole.READONLY };
        return [{ ...limit(100_000), accounts: [other] } as Instruction, await transfer(intent)];
      },
    ],
    [
      'an unknown program',
      async (intent) => [
        { programAddress: address('Vote111111111111111111111111111111111111111'), data: new Uint8Array([1]) },
        await transfer(intent),
      ],
    ],
    [
      'a memo signed by a stranger',
      async (intent) => [
        {
          ...memoInstruction('x'),
          accounts: [
            { address: t.customer.address, role: AccountRole.READONLY_SIGNER, signer: t.customer.signer },
          ],
        } as unknown as Instruction,
        await transfer(intent),
      ],
    ],
  ];

  test.each(attacks)('%s', async (_name, make) => {
    const intent = await newIntent(t.shop);
    const instructions = await make(intent);
    await expectNothingSigned(async () =>
      expect((await send(intent.id, await craft(instructions))).status).toBe(400),
    );
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'pending', cents: 0 });
  });

  test('a lookup table, a durable nonce, an unsigned one, one that was changed after signing', async () => {
    const intent = await newIntent(t.shop);
    const pays = await transfer(intent);
    const tables = await createLookupTable(t.chain.rpcUrl, t.customer.signer, [usdcMint]);
    t.chain.advanceSlots(1);
    const right = Buffer.from(await craft([pays]), 'base64');
    const unsigned = Buffer.from(right).fill(0, 65, 129);
    const changed = Buffer.from(right);
    changed[changed.length - 3]! ^= 1;
    const wrong = [await craft([pays], { tables }), await craft([pays], { nonce: true })];
    await expectNothingSigned(async () => {
      for (const transaction of [...wrong, unsigned.toString('base64'), changed.toString('base64')])
        expect((await send(intent.id, transaction)).status).toBe(400);
    });
  });

  test('a payer who has no USDC drains nothing: it is simulated first', async () => {
    const poor = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 1n });
    t.chain.advanceSlots(2);
    const intent = await newIntent(t.shop);
    const transaction = await signed((await ask(intent.id, poor.address)).body.transaction, poor.signer);
    await expectNothingSigned(async () => {
      for (let tries = 0; tries < 5; tries++)
        expect((await send(intent.id, transaction)).body.error.message).toMatch(/enough USDC/);
      expect((await send(intent.id, transaction)).status, 'and not for ever').toBe(429);
    });
  });

  test('a second transaction while the first is under way; another one of the same wallet for another payment', async () => {
    const [one, other] = [await newIntent(t.shop), await newIntent(t.shop)];
    const [first, second] = [
      await craft([await transfer(one)]),
      await craft([limit(90_000), await transfer(one)]),
    ];
    expect((await send(one.id, first)).status).toBe(202);
    expect((await send(one.id, second)).body.error.message).toMatch(/under way/);
    expect((await send(other.id, first)).status, 'it names another payment').toBe(400);
    expect((await send(other.id, await craft([await transfer(other)]))).status).toBe(202);
    await t.finalize();
    await t.follow();
    expect([await readIntent(t.shop, one), await readIntent(t.shop, other)]).toEqual([
      { status: 'succeeded', cents: 100 },
      { status: 'succeeded', cents: 100 },
    ]);
    expect((await send(one.id, second)).status).toBe(409);
  });

  test('twenty different transactions for one payment at once: one is signed', async () => {
    const intent = await newIntent(t.shop);
    const pays = await transfer(intent);
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => craft([limit(80_000 + i), pays])));
    const before = (await rows()).length;
    const answers = await Promise.all(all.map((transaction) => send(intent.id, transaction)));
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken.length, 'others are refused or limited').toBe(1);
    expect((await rows()).length).toBe(before + 1);
    await t.finalize();
    await t.follow();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
    await expectSoundBooks(t);
  });
});

describe('limits', () => {
  test('beyond the day’s limit nothing is signed, and payers pay their own', async () => {
    const { spent } = (
      await t.service.db.query<{ spent: bigint }>('select max(spent_lamports) as spent from sponsor_days')
    )[0]!;
    const intent = await newIntent(t.shop);
    const transaction = await craft([await transfer(intent)]);
    t.sponsor.limitLamportsPerDay = spent + 9_999n;
    try {
      expect((await t.shop.call('GET', '/api/v2/sponsor')).body).toMatchObject({
        isOn: false,
        reasonOff: 'daily_limit_reached',
      });
      expect((await ask(intent.id, payer.address)).body.isSponsored).toBe(false);
      await expectNothingSigned(async () => expect((await send(intent.id, transaction)).status).toBe(503));
    } finally {
      t.sponsor.limitLamportsPerDay = 50_000_000n;
    }
    expect((await send(intent.id, transaction)).status).toBe(202);
    await t.finalize();
    await t.follow();
  });

  test('a merchant without a token account is not sponsored: the account would cost more than the fee', async () => {
    const owner = await createWallet(t.chain, { lamports: 0n });
    const shop = await t.service.createMerchant('New', owner.address);
    const intent = await newIntent(shop);
    expect((await ask(intent.id, payer.address)).body.isSponsored).toBe(false);
  });
});

test('stored and not sent, as after a crash: the worker sends it; one that can no longer land gives its fee back', async () => {
  const [lands, lapses] = [await newIntent(t.shop), await newIntent(t.shop)];
  t.chain.faults.set({ rules: [{ kind: 'httpError', methods: ['sendTransaction'] }] });
  expect((await send(lands.id, await craft([await transfer(lands)]))).status, 'it is ours to send now').toBe(
    202,
  );
  expect((await rows()).at(-1)).toMatchObject({ state: 'prepared' });
  t.chain.faults.set({ rules: [] });
  await t.follow();
  await t.finalize();
  await later(5);
  await t.follow();
  expect(await readIntent(t.shop, lands)).toEqual({ status: 'succeeded', cents: 100 });
  expect((await rows()).at(-1)).toMatchObject({ state: 'landed' });

  t.chain.faults.set({ rules: [{ kind: 'httpError', methods: ['sendTransaction'] }] });
  const spent = async () => (await t.shop.call('GET', '/api/v2/sponsor')).body.spentTodayLamports;
  const before = await spent();
  const transaction = await craft([await transfer(lapses)]);
  expect((await send(lapses.id, transaction)).status).toBe(202);
  expect(await spent()).toBe(before + 10_000);
  expect((await send(lapses.id, await craft([limit(70_000), await transfer(lapses)]))).status).toBe(409);
  await t.lapse();
  t.chain.faults.set({ rules: [] });
  expect((await rows()).at(-1)).toMatchObject({ state: 'dropped' });
  expect(await spent()).toBe(before);
  expect((await send(lapses.id, transaction)).body.error.message).toMatch(/lapsed/);
  expect(
    (await send(lapses.id, await craft([await transfer(lapses)]))).status,
    'a new one may be signed',
  ).toBe(202);
  await t.finalize();
  expect(await readIntent(t.shop, lapses)).toEqual({ status: 'succeeded', cents: 100 });
  await expectSoundBooks(t);
});

/** Lets the next turn of the worker come. */
async function later(seconds: number): Promise<void> {
  await t.service.db.query(
    'update sponsored_transactions set next_check_at = next_check_at - make_interval(secs => $1)',
    [seconds],
  );
}
