import { beforeAll, describe, expect, test } from 'vitest';
import type { Florin } from '../../sdk/src/florin.ts';
import {
  expectExplains,
  expectReadmeRight,
  type Sandbox,
  startExample,
  startSandbox,
} from '../support/example.ts';
import { eventually } from '../support/webhooks.ts';
import { programOf } from './x402-program.ts';

/** Every example is started by npm, and on a busy machine that takes a while. */
const GIVE_UP_MS = 300_000;

/** Time for programs on a busy machine: their payments are void 150 slots after they began to sign. */
const SLOT_MS = 100;

let sandbox: Sandbox;
let florin: Florin;
beforeAll(async () => {
  sandbox = await startSandbox(SLOT_MS);
  florin = sandbox.florin;
}, GIVE_UP_MS);

describe('paid-api', () => {
  test('402 without a payment, the answer for a program that pays, and an invoice of the project', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const api = await startExample('paid-api', sandbox.env);
    expect((await fetch(`${api.url}/v1/weather`)).status).toBe(402);
    expect(await (await fetch(api.url)).text()).toContain('$0.02');
    const { pay, address } = await programOf(sandbox.chainUrl);
    const response = await pay(`${api.url}/v1/weather`);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ city: 'Bern' }),
    ]);
    const projects = await florin.projects.list().toArray({ limit: 100 });
    const { id: projectId } = projects.find(({ name }) => name === 'Paid API')!;
    await eventually(async () => {
      const [invoice] = await florin.invoices.list({ projectId }).toArray({ limit: 1 });
      return invoice?.status === 'paid' && invoice.totalCents === 2;
    });
    const [session] = await florin.checkoutSessions.list({ projectId }).toArray({ limit: 1 });
    expect(session!.externalCustomerId).toBe(`solana:${address}`);
  });

  test(
    'says what is missing, that no service is there, or that the key is wrong, and ends with 1',
    {
      timeout: GIVE_UP_MS,
    },
    () => expectExplains('paid-api', sandbox),
  );
});

describe('credits-for-programs', () => {
  test('a program without an account buys credits by x402 and spends them with the token of its receipt', {
    timeout: GIVE_UP_MS,
  }, async () => {
    const api = await startExample('credits-for-programs', sandbox.env);
    const roll = async (token?: string, key?: string): Promise<[number, Record<string, unknown>]> => {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      };
      const answer = await fetch(`${api.url}/v1/rolls`, { method: 'POST', headers });
      return [answer.status, (await answer.json()) as Record<string, unknown>];
    };
    await expectReadmeRight('credits-for-programs', api, sandbox);
    const [status, { buyCreditsAt }] = await roll();
    expect(status).toBe(402);
    const { pay, address } = await programOf(sandbox.chainUrl);
    const bought = await pay(String(buyCreditsAt));
    expect(bought.status).toBe(200);
    const receipt = (await bought.json()) as { creditToken: string; creditAmount: number };
    expect(receipt).toMatchObject({ status: 'paid', amountCents: 5, creditAmount: 20 });
    const token = receipt.creditToken;
    const { customer } = await florin.creditTokens.verify({ token });
    expect(customer).toMatchObject({ externalCustomerId: `solana:${address}`, creditBalance: 20 });

    const first = await roll(token, 'roll-1');
    expect(first).toEqual([200, { dice: expect.any(Number) }]);
    expect(await roll(token, 'roll-1')).toEqual(first);
    const left = await fetch(`${api.url}/v1/credits`, { headers: { authorization: `Bearer ${token}` } });
    expect(await left.json()).toEqual({ credits: 19 });
    for (let i = 2; i <= 20; i++) expect((await roll(token, `roll-${i}`))[0]).toBe(200);
    expect(await roll(token, 'roll-21')).toEqual([402, { error: 'Your credits are used up.', buyCreditsAt }]);
    expect((await roll(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`))[0]).toBe(401);
    await florin.creditTokens.revoke(customer!.id);
    expect((await roll(token))[0]).toBe(401);
  });
});
