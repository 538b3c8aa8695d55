import { expect, test } from 'vitest';
import { Accounts, MAX_LAG_SLOTS } from './accounts.ts';
import { type AccountState, FAUCET, SANDBOX_USDC_MINT, SYSTEM_PROGRAM } from './genesis.ts';
import { Runtime } from './runtime.ts';

const state = (lamports: number): AccountState => ({
  lamports: BigInt(lamports),
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
});

function setUp() {
  const runtime = new Runtime();
  const accounts = new Accounts(runtime);
  const change = (slot: number, after: AccountState | undefined) => {
    accounts.record(slot, FAUCET.address, () => undefined, after);
    runtime.write(FAUCET.address, after);
  };
  return { runtime, accounts, change };
}

test('an account is read as of the end of any recent slot, and before it existed', () => {
  const { accounts, change } = setUp();
  const last = 2 * MAX_LAG_SLOTS;
  for (let slot = 1; slot <= last; slot++) {
    change(slot, state(1));
    change(slot, state(slot * 10));
  }
  for (let slot = last - MAX_LAG_SLOTS; slot <= last; slot++)
    expect(accounts.at(FAUCET.address, slot)?.lamports).toBe(BigInt(slot * 10));
  expect(accounts.latest(FAUCET.address)?.lamports).toBe(BigInt(last * 10));
  const other = setUp();
  other.change(5, state(5));
  expect(other.accounts.at(FAUCET.address, 4)).toBeUndefined();
});

test('rolled back, an account is what it was, here and in the runtime, even if that is nothing', () => {
  const { runtime, accounts, change } = setUp();
  change(5, state(50));
  change(7, undefined);
  expect(runtime.read(FAUCET.address)).toBeUndefined();
  accounts.rollBackTo(6, [FAUCET.address, SANDBOX_USDC_MINT]);
  expect(accounts.latest(FAUCET.address)?.lamports).toBe(50n);
  expect(runtime.read(FAUCET.address)?.lamports).toBe(50n);
  accounts.rollBackTo(4, [FAUCET.address]);
  expect(accounts.latest(FAUCET.address)).toBeUndefined();
  expect(runtime.read(FAUCET.address)).toBeUndefined();
});
