import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  newAddress,
  shareAddress,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { arrive, MINT } from '../../../test/support/transfers.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { payoutInvariants } from '../payouts/invariants.ts';

const PATH = '/api/b2b/merchants/payout-address';
let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body?.error?.code,
];
const TAKEN = [409, 'PAYOUT_ADDRESS_TAKEN'];
const set = (merchant: TestMerchant, payoutAddress: string) =>
  merchant.call('PATCH', PATH, { payoutAddress });
const read = async (merchant: TestMerchant) => (await merchant.call('GET', PATH)).body;
const newProject = (merchant: TestMerchant, payoutAddress: string) =>
  merchant.call('POST', '/api/v2/projects', { name: 'a', payoutAddress });

/** A wallet that signs: its key is ours. */
function newWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = encodeBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
  return { address, sign: (bytes: Buffer) => encodeBase58(sign(null, bytes, privateKey)) };
}
type SigningWallet = ReturnType<typeof newWallet>;

const challenge = async (merchant: TestMerchant, { address }: SigningWallet) =>
  (await merchant.call('POST', `${PATH}/challenge`, { payoutAddress: address })).body;
const verify = (merchant: TestMerchant, { address }: SigningWallet, signature: string) =>
  merchant.call('POST', `${PATH}/verify`, { payoutAddress: address, signature });

async function prove(merchant: TestMerchant, wallet: SigningWallet) {
  const { message } = await challenge(merchant, wallet);
  return verify(merchant, wallet, wallet.sign(Buffer.from(message)));
}

describe('an address belongs to one merchant', () => {
  test('409 PAYOUT_ADDRESS_TAKEN wherever another merchant uses it, and nothing changes', async () => {
    const alice = await service.createMerchant('Alice', newAddress());
    const bob = await service.createMerchant('Bob', newAddress());
    const { payoutAddress: hers } = await read(alice);
    const { payoutAddress: his } = await read(bob);
    const ofProject = newAddress();
    expect((await newProject(alice, ofProject)).status).toBe(201);
    const project = await newProject(bob, his);
    expect(project.status).toBe(201);
    for (const address of [hers, ofProject]) {
      expect(codeOf(await set(bob, address))).toEqual(TAKEN);
      expect(codeOf(await newProject(bob, address))).toEqual(TAKEN);
      const path = `/api/v2/projects/${project.body.id}`;
      expect(codeOf(await bob.call('PATCH', path, { payoutAddress: address }))).toEqual(TAKEN);
      expect((await bob.call('GET', path)).body.payoutAddress).toBe(his);
    }
    expect((await read(bob)).payoutAddress).toBe(his);
    await expect(service.createMerchant('Carol', hers)).rejects.toMatchObject({
      code: 'PAYOUT_ADDRESS_TAKEN',
    });
    // One's own address, in any of one's projects, is no conflict.
    expect((await newProject(alice, hers)).status).toBe(201);
    expect((await set(alice, ofProject)).status).toBe(200);
  });

  test('of many merchants that set it at once exactly one gets it', async () => {
    const rivals: TestMerchant[] = [];
    for (let i = 0; i < 6; i++) rivals.push(await service.createMerchant(`R${i}`, null));
    const address = newAddress();
    const answers = await Promise.all(
      rivals.map((rival, i) => (i % 2 ? set(rival, address) : newProject(rival, address))),
    );
    const statuses = answers.map(({ status }) => (status < 300 ? 'got it' : status));
    expect(statuses.sort()).toEqual([409, 409, 409, 409, 409, 'got it']);
  });

  test('the database refuses it too, whatever the code does', async () => {
    const alice = await service.createMerchant('Alice', newAddress());
    const bob = await service.createMerchant('Bob', newAddress());
    const { payoutAddress } = await read(alice);
    const { body: project } = await bob.call('POST', '/api/v2/projects', { name: 'a' });
    for (const statement of [
      `update merchants set payout_address = '${payoutAddress}' where id = '${bob.id}'`,
      `update projects set payout_address = '${payoutAddress}' where id = '${project.id}'`,
      `insert into payout_addresses (merchant_id, address, created_at) values ('${bob.id}', '${payoutAddress}', now())`,
    ]) {
      await expect(service.db.query(statement)).rejects.toThrow(/payout_address/);
    }
  });

  test('a former address is free as soon as no money is awaited there', async () => {
    const alice = await service.createMerchant('Alice', newAddress());
    const bob = await service.createMerchant('Bob', null);
    const { payoutAddress: first } = await read(alice);
    const second = newAddress();
    await set(alice, second);
    expect((await set(bob, first)).status).toBe(200);
    expect(codeOf(await set(alice, first))).toEqual(TAKEN);

    await alice.call('POST', '/api/merchants/intents', { amountCents: 5, orderId: 'open' });
    await set(alice, newAddress());
    expect(codeOf(await set(bob, second))).toEqual(TAKEN);
    await service.db.query(
      `update watched_accounts set watch_since = now() - interval '2 days', watch_until = now() - interval '1 day'
        where destination = $1`,
      [second],
    );
    expect((await set(bob, second)).status).toBe(200);
    const [watched] = await service.db.query<{ merchantId: string }>(
      'select merchant_id from watched_accounts where destination = $1',
      [second],
    );
    expect(watched!.merchantId).toBe(bob.id);
  });
});

describe('what is no wallet', () => {
  test.each([
    ['11111111111111111111111111111111', 'the system program'],
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'a token program'],
    ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'a token program'],
    ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', 'the associated token account program'],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'the mint of USDC'],
    ['4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'the mint of USDC'],
    ['So11111111111111111111111111111111111111112', 'the mint of wrapped SOL'],
    ['SysvarRent111111111111111111111111111111111', 'the rent sysvar'],
    ['1nc1nerator11111111111111111111111111111111', 'the incinerator'],
    [encodeBase58(Buffer.from(`01${'00'.repeat(31)}`, 'hex')), 'a key that anybody can sign for'],
  ])('400 for %s, wherever it is set: it is %s', async (payoutAddress, what) => {
    const merchant = await service.createMerchant('Careless', null);
    const { body: project } = await merchant.call('POST', '/api/v2/projects', { name: 'a' });
    for (const answer of [
      await set(merchant, payoutAddress),
      await newProject(merchant, payoutAddress),
      await merchant.call('PATCH', `/api/v2/projects/${project.id}`, { payoutAddress }),
      await merchant.call('POST', `${PATH}/challenge`, { payoutAddress }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^payoutAddress is /);
      expect(answer.body.error.message).toContain(what);
    }
    await expect(service.createMerchant('Careless', payoutAddress)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect((await read(merchant)).payoutAddress).toBeNull();
  });

  test('an address off the curve is accepted and marked; no wallet can sign for it', async () => {
    const merchant = await service.createMerchant('Multisig', null);
    // The associated token account of some wallet, which has never been opened: off the curve for certain.
    const vault = await associatedAccount(newAddress(), MINT);
    expect((await set(merchant, vault)).body).toMatchObject({ payoutAddress: vault, isOffCurve: true });
    const refused = await merchant.call('POST', `${PATH}/challenge`, { payoutAddress: vault });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('off the curve'),
    ]);
    expect((await set(merchant, newAddress())).body.isOffCurve).toBe(false);
  });
});

describe('proof by signature', () => {
  test('the merchant that signs takes it over; open intents stay whose they are, unmatched money is the new owner’s', async () => {
    const wallet = newWallet();
    const squatter = await service.createMerchant('Squatter', wallet.address);
    const owner = await service.createMerchant('Owner', newAddress());
    const { body: project } = await newProject(squatter, wallet.address);
    const order = { amountCents: 5, orderId: 'squatted' };
    const { body: intent } = await squatter.call('POST', '/api/merchants/intents', order);
    expect(codeOf(await set(owner, wallet.address))).toEqual(TAKEN);

    const { message, expiresAt } = await challenge(owner, wallet);
    expect(message).toContain(`Merchant: ${owner.id}`);
    expect(message).toContain(`Address: ${wallet.address}`);
    expect(message).toContain(`Expires: ${expiresAt}`);
    expect(message).toMatch(/^127\.0\.0\.1 asks you/);
    const proven = await verify(owner, wallet, wallet.sign(Buffer.from(message)));
    expect([proven.status, proven.body.payoutAddress]).toEqual([200, wallet.address]);

    expect(await read(squatter)).toMatchObject({ payoutAddress: null, verifiedAt: null });
    expect((await squatter.call('GET', `/api/v2/projects/${project.id}`)).body.payoutAddress).toBeNull();
    const more = await squatter.call('POST', '/api/merchants/intents', { amountCents: 5, orderId: 'more' });
    expect(codeOf(more)).toEqual([409, 'INVALID_STATE']);
    expect(codeOf(await set(squatter, wallet.address))).toEqual(TAKEN);
    const log = await squatter.call('GET', '/api/b2b/merchants/audit-entries');
    expect(
      log.body.data
        .slice(0, 2)
        .map(({ action, actor, detail }: Record<string, unknown>) => [action, actor, detail]),
    ).toEqual([
      ['merchant.payout_address_changed', `wallet:${wallet.address}`, { from: wallet.address, to: null }],
      ['project.payout_address_changed', `wallet:${wallet.address}`, { from: wallet.address, to: null }],
    ]);
    expect(log.text).not.toContain(owner.id);

    expect((await set(owner, wallet.address)).body).toMatchObject({
      payoutAddress: wallet.address,
      verifiedAt: proven.body.verifiedAt,
      isShared: false,
    });
    const [watched] = await service.db.query<{ merchantId: string }>(
      'select merchant_id from watched_accounts where destination = $1',
      [wallet.address],
    );
    expect(watched!.merchantId).toBe(owner.id);
    await arrive(service, owner.id, { references: [intent.referenceAddress], baseUnits: 50_000n });
    expect((await squatter.call('GET', `/api/merchants/intents/${intent.id}`)).body.status).toBe('succeeded');
    await arrive(service, owner.id, { baseUnits: 70_000n });
    expect((await owner.call('GET', '/api/v2/exceptions')).body.data).toHaveLength(1);
    expect((await squatter.call('GET', '/api/v2/exceptions')).body.data).toHaveLength(0);
    expect(await checkInvariants(service.db, payoutInvariants)).toMatchObject(
      payoutInvariants.map(({ name }) => ({ name, violations: [] })),
    );
  });

  test('a proven address stays its owner’s, set or not, until another merchant signs for it', async () => {
    const [unset, left] = [newWallet(), newWallet()];
    const owner = await service.createMerchant('Owner', newAddress());
    const taker = await service.createMerchant('Taker', newAddress());
    expect((await prove(owner, unset)).status).toBe(200);
    expect((await set(owner, left.address)).status).toBe(200);
    expect((await prove(owner, left)).status).toBe(200);
    expect((await set(owner, newAddress())).status).toBe(200);
    const { body: project } = await taker.call('POST', '/api/v2/projects', { name: 'a' });
    for (const { address } of [unset, left]) {
      expect(codeOf(await set(taker, address))).toEqual(TAKEN);
      expect(codeOf(await newProject(taker, address))).toEqual(TAKEN);
      const path = `/api/v2/projects/${project.id}`;
      expect(codeOf(await taker.call('PATCH', path, { payoutAddress: address }))).toEqual(TAKEN);
      await expect(service.createMerchant('Third', address)).rejects.toMatchObject({
        code: 'PAYOUT_ADDRESS_TAKEN',
      });
      const own = (await set(owner, address)).body;
      expect(own).toMatchObject({ payoutAddress: address, isShared: false });
      expect(own.verifiedAt).not.toBeNull();
    }
    expect((await set(owner, newAddress())).status).toBe(200);
    expect((await prove(taker, unset)).status).toBe(200);
    expect((await set(taker, unset.address)).status).toBe(200);
    expect(codeOf(await set(owner, unset.address))).toEqual(TAKEN);
  });

  test('the envelope of `solana sign-offchain-message` counts as well', async () => {
    const wallet = newWallet();
    const merchant = await service.createMerchant('Offline', wallet.address);
    expect((await read(merchant)).verifiedAt).toBeNull();
    const text = Buffer.from((await challenge(merchant, wallet)).message);
    const length = Buffer.from([text.length & 0xff, text.length >> 8]);
    const header = Buffer.concat([Buffer.from('\xffsolana offchain', 'latin1'), Buffer.from([0, 1]), length]);
    const answer = await verify(merchant, wallet, wallet.sign(Buffer.concat([header, text])));
    expect(answer.status).toBe(200);
    expect((await read(merchant)).verifiedAt).toBe(answer.body.verifiedAt);
  });

  test('400 for another wallet’s signature, another message or another merchant’s challenge; 409 without a challenge, for a used or an old one', async () => {
    const wallet = newWallet();
    const alice = await service.createMerchant('Alice', wallet.address);
    const mallory = await service.createMerchant('Mallory', null);
    expect(codeOf(await verify(mallory, wallet, wallet.sign(Buffer.from('x'))))).toEqual([
      409,
      'INVALID_STATE',
    ]);
    const mine = await challenge(mallory, wallet);
    const hers = await challenge(alice, wallet);
    for (const signature of [
      newWallet().sign(Buffer.from(mine.message)),
      wallet.sign(Buffer.from(`${mine.message} `)),
      wallet.sign(Buffer.from(hers.message)),
      encodeBase58(Buffer.alloc(64)),
      'x',
    ]) {
      expect(codeOf(await verify(mallory, wallet, signature))).toEqual([400, 'BAD_REQUEST']);
    }
    expect((await read(alice)).payoutAddress).toBe(wallet.address);
    const signature = wallet.sign(Buffer.from(hers.message));
    expect((await verify(alice, wallet, signature)).status).toBe(200);
    expect(codeOf(await verify(alice, wallet, signature))).toEqual([409, 'INVALID_STATE']);
    const old = await challenge(mallory, wallet);
    await service.db.query(`update payout_challenges set expires_at = now() - interval '1 second'`);
    expect(codeOf(await verify(mallory, wallet, wallet.sign(Buffer.from(old.message))))).toEqual([
      409,
      'INVALID_STATE',
    ]);
  });

  test('403 for a key without all four scopes', async () => {
    const wallet = newWallet();
    const merchant = await service.createMerchant('Narrow', null);
    const key = await merchant.keyWith(['payments:read', 'payments:write', 'billing:read']);
    const headers = { authorization: `Bearer ${key}` };
    for (const step of ['challenge', 'verify']) {
      const body = { payoutAddress: wallet.address, ...(step === 'verify' && { signature: 'x' }) };
      const answer = await merchant.call('POST', `${PATH}/${step}`, body, headers);
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });
});

describe('addresses that were shared before', () => {
  test('one that is shared keeps working; once left it cannot be set again, and a proof ends the sharing', async () => {
    const wallet = newWallet();
    const first = await service.createMerchant('First', wallet.address);
    const second = await service.createMerchant('Second', null);
    await shareAddress(service.db, second.id, wallet.address);
    service.app.authenticator.forget(second.id);
    expect(await read(second)).toMatchObject({ payoutAddress: wallet.address, isShared: true });
    const order = { amountCents: 5, orderId: 'a' };
    expect((await second.call('POST', '/api/merchants/intents', order)).status).toBe(200);
    expect((await set(second, wallet.address)).status).toBe(200);
    expect(codeOf(await newProject(second, wallet.address))).toEqual(TAKEN);
    expect((await set(second, newAddress())).status).toBe(200);
    expect(codeOf(await set(second, wallet.address))).toEqual(TAKEN);
    expect((await prove(second, wallet)).status).toBe(200);
    expect((await read(first)).payoutAddress).toBeNull();
    expect((await set(second, wallet.address)).body).toMatchObject({ isShared: false });
  });
});
