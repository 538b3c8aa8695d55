import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { newSignature } from '../../../test/support/lying-node.ts';
import { type NewIntent, newIntent } from '../../../test/support/payments.ts';
import { call, type TestMerchant } from '../../../test/support/service.ts';

let t: TestChain;
let other: TestMerchant;

beforeAll(async () => {
  t = await testChain();
  other = await t.service.createMerchant('Other', t.customer.address);
});

/** Only the test's own intents are due for a look. */
beforeEach(async () => {
  await t.service.db.query('update payment_intents set reference_check_at = null');
});

const look = ({ id }: NewIntent) => call(`${t.service.url}/api/public/intents/${id}`, 'GET');

async function looked(shop: TestMerchant, count: number): Promise<NewIntent[]> {
  const intents = [];
  for (let i = 0; i < count; i++) {
    const intent = await newIntent(shop);
    await look(intent);
    intents.push(intent);
  }
  return intents;
}

/** Returns those of these intents that are checked, in their order, until none is due. */
async function order(intents: readonly NewIntent[], turns: number): Promise<NewIntent[]> {
  const checked: NewIntent[] = [];
  const dueAmong = async () =>
    (
      await t.service.db.query<{ id: string }>(
        'select id from payment_intents where id = any($1) and reference_check_at <= $2',
        [intents.map(({ id }) => id), t.service.clock.now()],
      )
    ).map(({ id }) => id);
  for (let turn = 0; turn < turns; turn++) {
    const before = await dueAmong();
    await t.lookCloser();
    const after = new Set(await dueAmong());
    checked.push(...intents.filter(({ id }) => before.includes(id) && !after.has(id)));
  }
  return checked;
}

const rest = (seconds: number) =>
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + seconds * 1000);

test('merchants take turns, however many intents of one are due and for however long', async () => {
  const flood = await looked(t.shop, 12);
  rest(10);
  const [late] = await looked(other, 1);
  const checked = await order([...flood, late!], 3);
  expect(checked).toHaveLength(3);
  expect(checked.slice(0, 2)).toContain(late);
  rest(10);
  const [again] = await looked(other, 1);
  expect((await order([...flood, again!], 2)).map(({ id }) => id)).toContain(again!.id);
});

test('of one merchant, what we have sent comes first, then what is new since the last look, then repeated looks', async () => {
  const repeated = await looked(t.shop, 3);
  await order(repeated, 3);
  rest(10);
  for (const intent of repeated) await look(intent);
  rest(1);
  const [first] = await looked(t.shop, 1);
  rest(1);
  const [named, sent] = await looked(t.shop, 2);
  await order([first!, named!, sent!], 3);
  // Looked at, once, as all the others.
  rest(60);
  await t.service.db.query('update payment_intents set reference_check_at = null');
  for (const intent of repeated) await look(intent);
  rest(1);
  const [fresh] = await looked(t.shop, 1);
  const claim = { signature: newSignature() };
  await call(`${t.service.url}/api/public/intents/${named!.id}/check`, 'POST', claim);
  rest(1);
  await t.service.db.query(
    `insert into submitted_signatures (merchant_id, intent_id, signature, submitted_at, sends)
     values ($1, $2, $3, $4, 1)`,
    [t.shop.id, sent!.id, newSignature(), t.service.clock.now()],
  );
  await look(sent!);
  expect(await order([...repeated, fresh!, named!, sent!], 6)).toEqual([sent, fresh, named, ...repeated]);
});
