import { randomBytes } from 'node:crypto';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { createMint, createWallet, memoProgram, pay, send, sign } from '../support/wallet.ts';
import { type Attack, expected, held, refused } from './attack.ts';
import { newIntent, type Party, type Target, until } from './target.ts';

/** Names an account in a transaction that moves nothing, beside a memo of any bytes. */
async function mention({ chain, customer }: Target, account: Address, memo: Uint8Array): Promise<string> {
  const naming: Instruction = {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: customer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: customer.address, role: AccountRole.WRITABLE },
      { address: account, role: AccountRole.READONLY },
    ],
    data: Uint8Array.from([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
  const bytes = { programAddress: memoProgram, accounts: [], data: memo };
  const instructions = [naming, bytes];
  return send({ rpcUrl: chain.rpcUrl, payer: customer.signer, instructions, skipPreflight: true });
}

type PayMore = Partial<Parameters<typeof pay>[0]>;

async function payHonestly(target: Target, party: Party, more: PayMore = {}): Promise<string> {
  const { id, reference } = await newIntent(party);
  await payTo(target, party, reference, more);
  target.finalize();
  return reaches(party, id, 'succeeded');
}

const payTo = ({ chain, customer }: Target, party: Party, reference: Address, more: PayMore = {}) =>
  pay({
    rpcUrl: chain.rpcUrl,
    from: customer.signer,
    destinationOwner: party.wallet.address,
    amountBaseUnits: 1_000_000n,
    references: [reference],
    ...more,
  });

async function reaches({ call }: Party, id: string, status: string): Promise<string> {
  const read = () => call('GET', `/api/merchants/intents/${id}`);
  return (await until(read, ({ body }) => body.status === status)).body.status;
}

/** Attacks that anybody can make on an account for the price of a transaction. */
export const chainAttacks: readonly Attack[] = [
  {
    name: 'money of one’s own making',
    tries: 'a fake USDC under the true reference',
    async run(target) {
      const { chain, customer, alice } = target;
      const { id, reference } = await newIntent(alice);
      const mint = await createMint(chain.rpcUrl, customer.signer, 10n ** 9n);
      await payTo(target, alice, reference, { mint });
      target.finalize();
      await payHonestly(target, alice);
      const { body } = await alice.call('GET', `/api/merchants/intents/${id}`);
      return held(body.amountReceivedCents === 0 && body.status !== 'succeeded', 'nothing is credited');
    },
  },
  {
    name: 'a payment that fails',
    tries: 'the transfer succeeds and a later instruction fails',
    async run(target) {
      const { alice } = target;
      const { id, reference } = await newIntent(alice);
      const after = [{ programAddress: memoProgram, accounts: [], data: Uint8Array.from([0xff]) }];
      await payTo(target, alice, reference, { after, skipPreflight: true });
      target.finalize();
      await payHonestly(target, alice);
      const { body } = await alice.call('GET', `/api/merchants/intents/${id}`);
      return held(body.amountReceivedCents === 0, 'nothing is credited');
    },
  },
  {
    name: 'a payment that the chain drops',
    tries: 'confirmed, and then on the wrong fork',
    async run(target) {
      const { alice, chain } = target;
      const { id, reference } = await newIntent(alice);
      await payTo(target, alice, reference);
      chain.advanceSlots(3);
      const seen = await reaches(alice, id, 'processing');
      chain.rollBack(4);
      chain.advanceSlots(80);
      return held((await reaches(alice, id, 'pending')) === 'pending', `${seen}, then pending again`);
    },
  },
  {
    name: 'less than a cent',
    tries: 'one base unit under the reference, to keep an intent from being canceled',
    async run(target) {
      const { alice } = target;
      const { id, reference } = await newIntent(alice);
      await payTo(target, alice, reference, { amountBaseUnits: 1n });
      target.finalize();
      await payHonestly(target, alice);
      const { body } = expected(await alice.call('POST', `/api/merchants/intents/${id}/cancel`, {}), 200);
      return held(body.status === 'canceled', 'it can be canceled');
    },
  },
  {
    name: 'dust at a till',
    tries: 'one base unit under the reference of a terminal’s intent',
    async run(target) {
      const { alice } = target;
      const { body: terminal } = await alice.call('POST', '/api/b2b/merchants/terminals', { name: 'dust' });
      const { reference } = await newIntent(alice, { terminalId: terminal.id });
      await payTo(target, alice, reference, { amountBaseUnits: 1n });
      target.finalize();
      await payHonestly(target, alice);
      const order = { amountCents: 200, orderId: 'after dust', terminalId: terminal.id };
      const { status } = await alice.call('POST', '/api/merchants/intents', order);
      return held(status < 300, 'the next customer is served');
    },
  },
  {
    name: 'another’s payment claimed',
    tries: 'Mallory names the signature of a payment to Alice as one for his own intent',
    async run(target) {
      const { alice, mallory, stranger } = target;
      const hers = await newIntent(alice);
      const signature = await payTo(target, alice, hers.reference);
      target.finalize();
      const his = await newIntent(mallory);
      const path = `/api/public/intents/${his.id}/check`;
      expected(await stranger({ method: 'POST', path, body: { signature } }), 200, 202);
      await reaches(alice, hers.id, 'succeeded');
      await payHonestly(target, mallory);
      const { body } = await mallory.call('GET', `/api/merchants/intents/${his.id}`);
      return held(body.amountReceivedCents === 0, 'it counts for Alice alone');
    },
  },
  {
    name: 'signatures that are none',
    tries: 'a signature of 10 KB, of other e-mails, of nobody’s transaction',
    async run(target) {
      const { alice, stranger } = target;
      const { id } = await newIntent(alice);
      const path = `/api/public/intents/${id}/check`;
      const bad = ['z'.repeat(10_000), '0OIl', '', 'é'.repeat(88)];
      for (const signature of bad)
        refused(await stranger({ method: 'POST', path, body: { signature } }), 400);
      const unknown = encodeBase58(randomBytes(64));
      const { status } = await stranger({ method: 'POST', path, body: { signature: unknown } });
      return held(status < 300, 'refused, and the unknown one is looked for');
    },
  },
  {
    name: 'our nodes as a relay',
    tries: 'a signed transaction that is no payment of the intent, sent through us',
    async run(target) {
      const { alice, chain, stranger } = target;
      const { id } = await newIntent(alice);
      const thief = await createWallet(chain, { usdcBaseUnits: 10n ** 9n });
      const bytes = { programAddress: memoProgram, accounts: [], data: Buffer.from('spam') };
      const transaction = await sign({ rpcUrl: chain.rpcUrl, payer: thief.signer, instructions: [bytes] });
      const path = `/api/public/intents/${id}/send`;
      return refused(await stranger({ method: 'POST', path, body: { transaction } }), 400, 409);
    },
  },
  {
    name: 'payment request for a program',
    tries: 'a wallet’s request with accounts that are none: too long, empty, a number',
    async run({ alice, stranger }) {
      const { id } = await newIntent(alice);
      const accounts = ['z'.repeat(10_000), '', 5, null, '../../etc'];
      const outcomes = new Set<string>();
      for (const account of accounts) {
        const answer = await stranger({
          method: 'POST',
          path: `/api/public/intents/${id}/pay`,
          body: { account },
        });
        outcomes.add(refused(answer, 400, 404));
      }
      return [...outcomes].join(', ');
    },
  },
  {
    name: 'memo that is no text',
    tries: 'bytes of no text beside the merchant’s account; the transaction fails and lands',
    async run(target) {
      await mention(target, target.alice.wallet.usdcAccount, Uint8Array.from([0xff, 0xed, 0xa0]));
      return held((await payHonestly(target, target.alice)) === 'succeeded', 'the next payment is found');
    },
  },
  {
    name: 'payment with an odd memo',
    tries: 'quotes, line ends, text that runs backwards and 500 bytes of it, in a true payment',
    async run(target) {
      const memo = '"]}\\\n\u2028\u202e'.repeat(40);
      return held((await payHonestly(target, target.alice, { memo })) === 'succeeded', 'it is paid');
    },
  },
  {
    name: 'memo with a null byte',
    tries: 'text that no database keeps, beside the merchant’s account and in a true payment',
    async run(target) {
      const { alice } = target;
      await mention(target, alice.wallet.usdcAccount, Buffer.from('a\0b'));
      return held(
        (await payHonestly(target, alice, { memo: '\0' })) === 'succeeded',
        'both are read, and it is paid',
      );
    },
  },
  {
    name: 'odd answers of a node',
    tries: 'half surrogates, unknown fields, a thousand levels and versions to come, in every answer',
    async run(target) {
      const { alice, chain } = target;
      const forms = ['loneSurrogate', 'nulText', 'unknownFields', 'deepNesting', 'hugeVersion'] as const;
      chain.faults.set({ rules: forms.map((form) => ({ kind: 'odd', form })) });
      const status = await payHonestly(target, alice);
      chain.faults.clear();
      return held(status === 'succeeded', 'the payment in them is found');
    },
  },
  {
    name: 'the heaviest transactions',
    tries: 'thirty of 63 calls with ten kilobytes each, naming the merchant’s account',
    async run(target) {
      const { alice, chain } = target;
      const signatures: string[] = [];
      for (let i = 0; i < 30; i++)
        signatures.push(await mention(target, alice.wallet.usdcAccount, Buffer.from(`spam ${i}`)));
      chain.faults.set({ rules: [{ kind: 'odd', form: 'longInstructions', signatures }] });
      const status = await payHonestly(target, alice);
      chain.faults.clear();
      return held(status === 'succeeded', 'the payment after them is found');
    },
  },
  {
    name: 'flood of a neighbour',
    tries: 'two hundred transactions that name Mallory’s account, while a customer pays Alice',
    async run(target) {
      const { alice, mallory } = target;
      for (let i = 0; i < 200; i++)
        await mention(target, mallory.wallet.usdcAccount, Buffer.from(`flood ${i}`));
      return held((await payHonestly(target, alice)) === 'succeeded', 'Alice’s payment is found');
    },
  },
];
