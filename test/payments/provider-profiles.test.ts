import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDataFolder } from '../support/data-folder.ts';
import {
  exceptionKinds,
  expectSoundBooks,
  type NewIntent,
  newIntent,
  payIntent,
  readIntent,
} from '../support/payments.ts';
import { florin } from '../support/process.ts';
import { isPaid, type ProfiledChain, profiledChain, secondsUntil } from '../support/provider.ts';
import { PROFILES } from '../support/provider-profiles.ts';
import { pass } from '../support/pruned.ts';

/** Time from finality within which a payment is found. */
const FOUND_SECONDS = 30;
const PAID = { status: 'succeeded', cents: 100 };

/** Lines of the probe that must be ✓ where the profile says nothing else. */
const USUAL = ['network', 'version', 'history', 'pruned transactions', 'archive', 'backends', 'index'];

describe.each(PROFILES)('$name', (profile) => {
  let t: ProfiledChain;
  const payments: string[] = [];
  const paid: NewIntent[] = [];

  beforeAll(async () => {
    t = await profiledChain(profile);
  });
  afterAll(() => t.watching.stop());

  async function payFinal(...[intent, more]: [NewIntent, { references: [] }?]) {
    t.provider.nextPayment();
    const signature = await payIntent(t, intent, more);
    payments.push(signature);
    t.chain.advanceSlots(40);
    return signature;
  }

  test('a payment with the page open', async () => {
    const intent = await newIntent(t.shop);
    paid.push(intent);
    await payFinal(intent);
    const page = () => t.shop.call('GET', `/api/public/intents/${intent.id}`);
    await secondsUntil(t, async () => (await page()).body.status === 'succeeded', FOUND_SECONDS);
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
  });

  test('a payment with the page closed', async () => {
    const intent = await newIntent(t.shop);
    paid.push(intent);
    await payFinal(intent);
    await secondsUntil(t, () => isPaid(t, intent), FOUND_SECONDS);
    expect(await readIntent(t.shop, intent)).toEqual(PAID);
  });

  test('a payment without a reference is an exception', async () => {
    const signature = await payFinal(await newIntent(t.shop), { references: [] });
    const listed = async () =>
      (await t.shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body.data;
    await secondsUntil(t, async () => (await listed()).length > 0, FOUND_SECONDS);
    expect(await listed()).toMatchObject([{ kind: 'unmatched', amountCents: 100 }]);
  });

  test('what nobody paid expires, and what was paid in its last moments does not', async () => {
    const [unpaid, late] = [await newIntent(t.shop), await newIntent(t.shop)];
    paid.push(late);
    pass(t, 29);
    t.provider.nextPayment();
    payments.push(await payIntent(t, late));
    // It is not final when its time is over.
    pass(t, 2);
    await t.expire();
    t.chain.advanceSlots(40);
    await secondsUntil(
      t,
      async () => {
        await t.expire();
        return (await isPaid(t, late)) && (await readIntent(t.shop, unpaid)).status === 'expired';
      },
      2 * FOUND_SECONDS,
    );
    expect(await readIntent(t.shop, late)).toEqual(PAID);
  });

  test('the books are sound, and hold each payment once', async () => {
    await t.watching.stop();
    t.provider.end();
    await expectSoundBooks(t);
    // Neither expired nor taken back in between.
    for (const intent of paid)
      expect((await statusesOf(t, intent)).join()).toMatch(/^(processing,)?succeeded$/);
    for (const signature of payments) expect(await bookedUnits(t, signature)).toBe(1_000_000n);
    expect(await exceptionKinds(t, payments[2]!)).toEqual(['unmatched']);
    const { differences, unreadable } = await t.reconcile();
    expect([differences, unreadable]).toEqual([[], []]);
  });

  test('`florin doctor --probe` names its limits', async () => {
    t.provider.begin();
    t.provider.nextPayment();
    const env = {
      FLORIN_DATA: await newDataFolder(),
      SOLANA_RPC_URLS: t.provider.url,
      SOLANA_WS_URL: t.provider.wsUrl,
      SOLANA_MAX_CALLS_PER_SECOND: '25',
    };
    const { code, stdout } = await florin(['doctor', '--probe', '--json'], env);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
    const found = Object.fromEntries(findings.map(({ check, ok, detail }) => [check, [ok, detail]]));
    const usual = Object.fromEntries(USUAL.map((check) => [check, [true, expect.any(String)]]));
    const own = Object.entries(profile.findings).map(([check, [ok, detail]]) => [
      check,
      [ok, expect.stringMatching(detail)],
    ]);
    expect(found).toMatchObject({ ...usual, ...Object.fromEntries(own) });
    expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1);
  });
});

async function statusesOf(t: ProfiledChain, { id }: NewIntent): Promise<string[]> {
  const rows = await t.service.db.query<{ status: string }>(
    'select status from events where object_id = $1 order by sequence',
    [id],
  );
  return rows.map(({ status }) => status);
}

/** Everything that is in the books of a transaction, credited or listed. */
async function bookedUnits(t: ProfiledChain, signature: string): Promise<bigint> {
  const [row] = await t.service.db.query<{ units: bigint }>(
    `select (select coalesce(sum(base_units), 0) from payment_allocations where signature = $1)::bigint
          + (select coalesce(sum(base_units), 0) from payment_exceptions where signature = $1)::bigint as units`,
    [signature],
  );
  return row!.units;
}
