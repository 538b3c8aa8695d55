import { expect, test } from 'vitest';
import { newLink, newPrice, newProject } from '../../../test/support/billing.ts';
import { testChain } from '../../../test/support/chain.ts';
import { change, close } from '../../../test/support/moving.ts';
import { newIntent } from '../../../test/support/payments.ts';
import { call } from '../../../test/support/service.ts';
import { newSignature } from '../../../test/support/transfers.ts';
import { reopenMerchant } from '../../accounts/merchants/close-merchant.ts';
import { lockIntent } from '../../intents/queries.ts';
import { noteSentPayment } from '../../payments/watcher/request-payment-check.ts';

test('a merchant that is being moved makes no offers to programs: what would be paid could not be reported here', async () => {
  const t = await testChain();
  const { shop, service } = t;
  await t.chain.mintTo(t.merchant.address, 1n);
  t.chain.advanceSlots(40);
  const project = await newProject(shop);
  const { paymentLink } = await newLink(shop, project.id);
  const price = await newPrice(shop, project.id, { billingMode: 'one_time', unitAmountCents: 100 });
  const { body: paywall } = await shop.call('POST', '/api/v2/x402/paywalls', {
    projectId: project.id,
    priceId: price.id,
    description: 'The report',
  });
  const intent = await newIntent(shop);
  const paths = [`/pay/${paymentLink.publicToken}`, new URL(paywall.url).pathname, `/intents/${intent.id}`];
  const ask = (headers: Record<string, string>) =>
    Promise.all(
      paths.map(async (path) => {
        const { status, body } = await call(service.url + path, 'GET', undefined, headers);
        return [status, status === 402 ? '' : body.error.code];
      }),
    );
  const [x402, mpp] = [{ accept: 'application/json' }, { 'accept-payment': 'solana/charge' }];
  const offered = paths.map(() => [402, '']);
  expect([await ask(x402), await ask(mpp)]).toEqual([offered, offered]);
  await close(t);
  const waits = paths.map(() => [503, 'MERCHANT_MOVING']);
  expect([await ask(x402), await ask(mpp)]).toEqual([waits, waits]);
  await service.db.transaction((tx) => reopenMerchant(tx, change(service, shop.id)));
  expect([await ask(x402), await ask(mpp)]).toEqual([offered, offered]);
});

test('nothing is sent of a merchant that is being moved, however early it came: it would be missing in the file', async () => {
  const t = await testChain();
  const { service, shop } = t;
  const { id } = await newIntent(shop);
  const note = () =>
    service.db.transaction(async (tx) => {
      const intent = (await lockIntent(tx, { merchantId: shop.id, id }))!;
      await noteSentPayment(tx, intent, newSignature(), service.clock.now());
    });
  await note();
  await close(t);
  await expect(note()).rejects.toThrow('the merchant is closed');
  await service.db.transaction((tx) => reopenMerchant(tx, change(service, shop.id)));
  await note();
});
