import { beforeAll, describe, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive, landed, newSignature, type TransferOptions } from '../../../test/support/transfers.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { settlementInvariants } from '../transfers/invariants.ts';
import { fits } from './choose-amount.ts';
import { reservationInvariants } from './invariants.ts';
import { pruneReservedAmounts, QUARANTINE_DAYS } from './prune-reserved-amounts.ts';
import { reserveAmount } from './reserve-amount.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

let orders = 0;
async function newIntent(amountCents = 1250, of = shop) {
  const order = { amountCents, orderId: `r${orders++}` };
  return (await of.call('POST', '/api/merchants/intents', order)).body as Made;
}
interface Made {
  id: string;
  referenceAddress: string;
}
const parts = () => ({ db: service.db, clock: service.clock, countReservation() {} });
const reserve = async ({ id }: Made) => (await reserveAmount(parts(), id, '192.0.2.1')).baseUnits;
const ask = ({ id }: Made) => shop.call('POST', `/api/public/intents/${id}/reserved-amount`);
const read = async ({ id }: Made) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body;
const send = (baseUnits: bigint, more: TransferOptions = {}) =>
  arrive(service, shop.id, { baseUnits, ...more });
const exceptionsOf = (signature: string) =>
  service.db.query<{ kind: string; status: string; baseUnits: bigint; intentId: string | null }>(
    'select kind, status, base_units, intent_id from payment_exceptions where signature = $1',
    [signature],
  );
const later = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS);

const PRICE = 12_500_000n;

async function expectSound() {
  const invariants = [...intentInvariants, ...settlementInvariants, ...reservationInvariants];
  const results = await checkInvariants(service.db, invariants);
  expect(results.filter(({ violations }) => violations.length > 0)).toEqual([]);
}

describe('the amount', () => {
  test('is the price and less than a cent more, the same at every request', async () => {
    const intent = await newIntent();
    const first = await ask(intent);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      destinationAddress: shop.payoutAddress,
      amount: expect.stringMatching(/^12\.50\d{1,4}$/),
    });
    expect(first.body.paymentUrl).toBe(
      `solana:${shop.payoutAddress}?amount=${first.body.amount}&spl-token=${first.body.mint}`,
    );
    expect((await ask(intent)).text).toBe(first.text);
    expect(fits(await reserve(intent), PRICE)).toBe(true);
  });

  test('is in no object of the interface', async () => {
    const intent = await newIntent();
    const amount = (await ask(intent)).body.amount as string;
    const seen = [
      (await shop.call('GET', `/api/merchants/intents/${intent.id}`)).text,
      (await shop.call('GET', `/api/public/intents/${intent.id}`)).text,
    ];
    for (const text of seen) expect(text).not.toContain(amount);
  });

  test('after a part payment it is another one, for the rest, and both name the intent', async () => {
    const intent = await newIntent();
    const whole = await reserve(intent);
    await send(2_500_000n, { references: [intent.referenceAddress] });
    const rest = await reserve(intent);
    expect(fits(rest, PRICE - 2_500_000n)).toBe(true);
    await send(whole);
    expect(await read(intent)).toMatchObject({ status: 'succeeded', amountReceivedCents: 1500 });
  });

  test('409 for what has ended, is canceled, is paid, or is on its way', async () => {
    const [canceled, paid, onItsWay] = [await newIntent(), await newIntent(), await newIntent()];
    await shop.call('POST', `/api/merchants/intents/${canceled.id}/cancel`);
    await send(PRICE, { references: [paid.referenceAddress] });
    await send(PRICE, { references: [onItsWay.referenceAddress], isFinal: false });
    for (const intent of [canceled, paid, onItsWay]) {
      const { status, body } = await ask(intent);
      expect([status, body.error.code]).toEqual([409, 'INVALID_STATE']);
    }
    const unknown = await shop.call('POST', `/api/public/intents/${shop.id}/reserved-amount`);
    expect(unknown.status).toBe(404);
  });

  test('409 at a vault, which exchanges do not send to', async () => {
    const intent = await newIntent();
    // An associated token account: off the curve for certain.
    await service.db.query('update payment_intents set destination_address = $2 where id = $1', [
      intent.id,
      '4DA4MM6Z1vcXuGcG3RTf8zAZ5wnJo1nC6QSTu9pFGoHe',
    ]);
    const { status, body } = await ask(intent);
    expect([status, body.error.message]).toEqual([409, expect.stringMatching(/vault|shares/)]);
    await service.db.query('update payment_intents set destination_address = $2 where id = $1', [
      intent.id,
      shop.payoutAddress,
    ]);
  });

  test('409 when all 9,999 of a price are taken; the reference still pays', async () => {
    const [holder, intent] = [await newIntent(77), await newIntent(77)];
    await service.db.query(
      `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
       select $1, $2, $3, 770000 + fraction, now() from generate_series(1, 9999) fraction`,
      [shop.id, holder.id, shop.payoutAddress],
    );
    const { status, body } = await ask(intent);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('Every amount')]);
    await send(770_000n, { references: [intent.referenceAddress] });
    expect((await read(intent)).status).toBe('succeeded');
    await service.db.query('delete from reserved_amounts where intent_id = $1 and base_units <> 770001', [
      holder.id,
    ]);
    expect(fits(await reserve(await newIntent(77)), 770_000n)).toBe(true);
  });

  test('is never what another order lacks: a stranger’s dust in another order makes no payment match two', async () => {
    const [holder, above, intent] = [await newIntent(78), await newIntent(79), await newIntent(78)];
    const [free, lacked] = [784_711n, 780_815n];
    await service.db.query(
      `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
       select $1, $2, $3, units, now() from generate_series(780001::numeric, 789999) units where units <> all($4::numeric[])`,
      [shop.id, holder.id, shop.payoutAddress, [free, lacked]],
    );
    await send(790_000n - lacked, { references: [above.referenceAddress] });
    expect(await reserve(intent)).toBe(free);
    await send(free);
    expect((await read(intent)).status).toBe('succeeded');
    const { status, body } = await ask(await newIntent(78));
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('Every amount')]);
  });

  test('429 for a network that reserves one after the other', async () => {
    const limited = await testService({ RATE_LIMIT_PUBLIC_PER_SECOND: '1000' });
    const merchant = await limited.createMerchant();
    const statuses: number[] = [];
    for (let each = 0; each < 31; each++) {
      const order = { amountCents: 100, orderId: `l${each}` };
      const { id } = (await merchant.call('POST', '/api/merchants/intents', order)).body;
      statuses.push((await merchant.call('POST', `/api/public/intents/${id}/reserved-amount`)).status);
    }
    expect(statuses).toEqual([...new Array(30).fill(200), 429]);
  });
});

test('prices a fee apart get other last digits, so that one short of a fee pays nobody else', async () => {
  const fees = await service.createMerchant('Fees');
  const digits = new Set<bigint>();
  for (let each = 0; each < 60; each++) {
    const { id } = await newIntent(1000 + 100 * (each % 3), fees);
    digits.add((await reserve({ id, referenceAddress: '' })) % 10_000n);
  }
  expect(digits.size).toBe(60);
});

test('where all digits are taken a fee apart, an amount is reserved all the same', async () => {
  const dense = await service.createMerchant('Dense');
  const [holder, intent] = [await newIntent(1100, dense), await newIntent(1000, dense)];
  await service.db.query(
    `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
     select $1, $2, $3, 11000000 + fraction, now() from generate_series(1, 9999) fraction`,
    [dense.id, holder.id, dense.payoutAddress],
  );
  expect(fits(await reserve(intent), 10_000_000n)).toBe(true);
});

describe('money of exactly this amount', () => {
  test('pays the intent: confirmed, then final, simply succeeded, with the fraction as dust in the books', async () => {
    const intent = await newIntent();
    const amount = await reserve(intent);
    const signature = newSignature();
    await send(amount, { signature, isFinal: false });
    expect((await read(intent)).status).toBe('processing');
    await send(amount, { signature });
    expect(await read(intent)).toMatchObject({ status: 'succeeded', amountReceivedCents: 1250 });
    expect(await exceptionsOf(signature)).toEqual([
      { kind: 'surplus', status: 'dust', baseUnits: amount - PRICE, intentId: intent.id },
    ]);
    await expectSound();
  });

  test('a second time is a surplus of that intent', async () => {
    const intent = await newIntent();
    const amount = await reserve(intent);
    await send(amount);
    const again = await send(amount);
    expect(await exceptionsOf(again)).toMatchObject([
      { kind: 'surplus', status: 'open', baseUnits: amount, intentId: intent.id },
    ]);
    await expectSound();
  });

  test('one base unit less or more pays nothing', async () => {
    const intent = await newIntent();
    const amount = await reserve(intent);
    for (const baseUnits of [amount - 1n, amount + 1n]) {
      const signature = await send(baseUnits);
      expect(await exceptionsOf(signature)).toMatchObject([{ kind: 'unmatched', baseUnits, intentId: null }]);
    }
    expect((await read(intent)).status).toBe('pending');
  });

  test('an intent of exactly this price without a reservation is never paid by an amount', async () => {
    const [plain, other] = [await newIntent(4321), await newIntent(4321)];
    const amount = await reserve(other);
    expect(await exceptionsOf(await send(43_210_000n))).toMatchObject([{ kind: 'unmatched' }]);
    await send(amount);
    expect([(await read(plain)).status, (await read(other)).status]).toEqual(['pending', 'succeeded']);
  });

  test('another token pays nothing', async () => {
    const intent = await newIntent();
    const amount = await reserve(intent);
    const signature = await send(0n, { otherMint: amount });
    expect(await exceptionsOf(signature)).toEqual([]);
    expect((await read(intent)).status).toBe('pending');
  });

  test('a reference wins, and one or a memo of an unknown order is never taken by its amount', async () => {
    const [intent, other] = [await newIntent(), await newIntent(1300)];
    const amount = await reserve(intent);
    await send(amount, { references: [other.referenceAddress] });
    expect((await read(other)).status).toBe('underpaid');
    const unknown = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
    const { destination } = await landed(service, shop.id, { baseUnits: amount });
    const carried = [...['source', 'mint', destination.account, 'payer'], unknown];
    const named: TransferOptions[] = [
      { memos: [`florin:${unknown}`] },
      { memos: [unknown] },
      { memos: [`${other.referenceAddress} 1`] },
      { memos: [`Order ${unknown}.`] },
      { memos: [intent.referenceAddress, unknown] },
      { transfers: [{ destination: destination.account, amount, accounts: carried }] },
    ];
    for (const more of named)
      expect(await exceptionsOf(await send(amount, more))).toMatchObject([{ kind: 'unmatched' }]);
    expect((await read(intent)).status).toBe('pending');
    const plain = { destination: destination.account, amount, accounts: carried.slice(0, 4) };
    await send(amount, { transfers: [plain], memos: ['Withdrawal 17'] });
    expect((await read(intent)).status).toBe('succeeded');
  });

  test('a memo with its own reference, as a wallet keeps it from the other code, takes nothing away', async () => {
    const intent = await newIntent();
    await send(await reserve(intent), { memos: [`${intent.referenceAddress} 1`] });
    expect((await read(intent)).status).toBe('succeeded');
  });

  test('what came before the reservation is not for it', async () => {
    const intent = await newIntent();
    const amount = await reserve(intent);
    const before = new Date(service.clock.now().getTime() - 10_000);
    expect(await exceptionsOf(await send(amount, { blockTime: before }))).toMatchObject([
      { kind: 'unmatched' },
    ]);
    expect((await read(intent)).status).toBe('pending');
  });

  test('what is exactly the rest of another order there is for neither', async () => {
    const [intent, part] = [await newIntent(350), await newIntent(1000)];
    const amount = await reserve(intent);
    await send(10_000_000n - amount, { references: [part.referenceAddress] });
    expect(await exceptionsOf(await send(amount))).toMatchObject([{ kind: 'unmatched', intentId: null }]);
    expect([(await read(intent)).status, (await read(part)).status]).toEqual(['pending', 'underpaid']);
  });

  test('late: an exception of that order, as with a reference', async () => {
    const [late, canceled] = [await newIntent(), await newIntent()];
    const [ofLate, ofCanceled] = [await reserve(late), await reserve(canceled)];
    await service.db.query(
      "update payment_intents set created_at = now() - interval '33 days', expires_at = now() - interval '31 days' where id = $1",
      [late.id],
    );
    await shop.call('POST', `/api/merchants/intents/${canceled.id}/cancel`);
    expect(await exceptionsOf(await send(ofLate))).toMatchObject([{ kind: 'late', intentId: late.id }]);
    expect(await exceptionsOf(await send(ofCanceled))).toMatchObject([
      { kind: 'canceled', intentId: canceled.id },
    ]);
    await expectSound();
  });
});

describe('quarantine', () => {
  test('an amount is free again once its order has ended and the quarantine is over, and not before', async () => {
    const [ended, open] = [await newIntent(), await newIntent()];
    const [amount] = [await reserve(ended), await reserve(open)];
    await send(amount);
    const kept = async () =>
      (
        await service.db.query<{ intentId: string }>(
          'select intent_id from reserved_amounts where intent_id in ($1, $2) order by intent_id',
          [ended.id, open.id],
        )
      ).map(({ intentId }) => intentId);
    await pruneReservedAmounts(service.db, service.clock.now());
    await pruneReservedAmounts(service.db, later(QUARANTINE_DAYS - 0.01));
    expect(await kept()).toHaveLength(2);
    await pruneReservedAmounts(service.db, later(QUARANTINE_DAYS + 0.01));
    expect(await kept()).toEqual([open.id]);

    const next = await newIntent();
    await service.db.query(
      `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
       values ($1, $2, $3, $4, $5)`,
      [shop.id, next.id, shop.payoutAddress, amount, service.clock.now()],
    );
    await send(amount);
    expect((await read(next)).status).toBe('succeeded');
    // It can be paid for 30 days after its deadline, and the quarantine comes after that.
    await pruneReservedAmounts(service.db, later(31));
    await pruneReservedAmounts(service.db, later(31 + QUARANTINE_DAYS - 1));
    expect(await kept()).toEqual([open.id]);
    await pruneReservedAmounts(service.db, later(32 + QUARANTINE_DAYS));
    expect(await kept()).toEqual([]);
  });
});

describe('two shops with one wallet', () => {
  test('the owner of the address reserves, and the other is refused', async () => {
    const second = await service.createMerchant('Second');
    await service.db.query(
      `insert into payout_addresses (merchant_id, address, is_shared, created_at) values ($1, $2, true, now())`,
      [second.id, shop.payoutAddress],
    );
    await service.db.query('update merchants set payout_address = $2 where id = $1', [
      second.id,
      shop.payoutAddress,
    ]);
    const theirs = await newIntent(1250, second);
    const { status, body } = await ask(theirs);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('shares its payout address')]);
    const ours = await newIntent();
    await send(await reserve(ours));
    expect((await read(ours)).status).toBe('succeeded');
    // Even if it were let in, the database keeps one order for an amount at an address.
    const taken = await reserve(await newIntent());
    const twice = service.db.query(
      `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
       values ($1, $2, $3, $4, now())`,
      [second.id, theirs.id, shop.payoutAddress, taken],
    );
    await expect(twice).rejects.toThrow(/reserved_amounts_by_amount/);
  });
});

test('10,000 open orders at one address, many at the same time: no amount twice', async () => {
  const busy = await service.createMerchant('Busy');
  const sample = await newIntent(999, busy);
  await service.db.query(
    `insert into payment_intents (merchant_id, id, expected_amount_cents, reference_address, destination_address,
                                  created_at, expires_at)
     select merchant_id, gen_random_uuid(), 1000 + n % 2, reference_address || n, destination_address, created_at, expires_at
       from payment_intents, generate_series(1, 9999) n where id = $1`,
    [sample.id],
  );
  const intents = await service.db.query<Made>('select id from payment_intents where merchant_id = $1', [
    busy.id,
  ]);
  // Most of them have theirs already; the last 2,000 come at the same time, into what is half full.
  await service.db.query(
    `insert into reserved_amounts (merchant_id, intent_id, destination, base_units, reserved_at)
     select i.merchant_id, i.id, i.destination_address,
            i.expected_amount_cents * 10000 + row_number() over (partition by i.expected_amount_cents) * 2, now()
       from unnest($1::uuid[]) as first(id) join payment_intents i on i.id = first.id`,
    [intents.slice(2_000).map(({ id }) => id)],
  );
  const waiting = intents.slice(0, 2_000);
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await reserve(next);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const [counted] = await service.db.query(
    `select count(*)::integer as rows, count(distinct base_units)::integer as amounts,
            count(distinct intent_id)::integer as intents from reserved_amounts where merchant_id = $1`,
    [busy.id],
  );
  expect(counted).toEqual({ rows: 10_000, amounts: 10_000, intents: 10_000 });
  await expectSound();
});
