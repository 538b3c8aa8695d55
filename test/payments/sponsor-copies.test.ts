import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { expectSoundBooks, newIntent, readIntent, signed } from '../support/payments.ts';
import { call } from '../support/service.ts';
import { createWallet } from '../support/wallet.ts';

let t: TestChain;

const from = (i: number) => ({ 'x-forwarded-for': `10.${i}.0.1` });

beforeAll(async () => {
  t = await testChain({ TRUST_PROXY: 'true', RATE_LIMIT_PUBLIC_PER_SECOND: '0' });
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
});

test('copies of two transactions for one payment at once: all of the one that is signed get its answer', async () => {
  for (let round = 0; round < 4; round++) {
    const intent = await newIntent(t.shop);
    const path = `${t.service.url}/api/public/intents/${intent.id}`;
    const both: string[] = [];
    for (let i = 0; i < 2; i++) {
      const payer = await createWallet(t.chain, { lamports: 0n, usdcBaseUnits: 10n ** 9n });
      t.chain.advanceSlots(2);
      const { body } = await call(`${path}/transaction`, 'POST', { account: payer.address });
      both.push(await signed(body.transaction, payer.signer));
    }
    const answers = await Promise.all(
      [0, 1, 0, 1, 0, 1].map(async (which, i) => {
        const { status, body } = await call(`${path}/send`, 'POST', { transaction: both[which]! }, from(i));
        return { which, status, text: body.signature ?? body.error.message };
      }),
    );
    const first = answers.find(({ status }) => status === 202)!;
    const own = answers.filter(({ which }) => which === first.which);
    expect(own).toEqual(own.map(() => first));
    for (const { text } of answers.filter(({ which }) => which !== first.which))
      expect(text).toMatch(/already under way/);
    await t.finalize();
    await t.follow();
    expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
  }
  await expectSoundBooks(t);
});
