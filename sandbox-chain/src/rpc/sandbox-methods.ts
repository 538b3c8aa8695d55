import { type Address, address } from '@solana/kit';
import type { Json } from '../encoding/json.ts';
import type { Faucet } from './faucet.ts';
import { readFaultPlan } from './fault-plan.ts';
import type { RpcMethods } from './rpc-call.ts';
import { invalidParams } from './rpc-error.ts';
import { integerParam, toAddress } from './rpc-params.ts';

/** No real node has methods of this name: they let another process turn the switches. No fault strikes them. */
export const SANDBOX_PREFIX = 'sandbox_';

const MAX_SLOTS_AT_ONCE = 10_000;
/** The last millisecond of the year 9999. */
const MAX_UNIX_MS = 253_402_300_799_999;

/** Methods that only test networks offer, and the sandbox's own. */
export function sandboxMethods(faucet: Faucet): RpcMethods {
  return {
    async requestAirdrop(params) {
      return faucet.fund(toOwner(params[0]), toAmount(params[1]));
    },

    sandbox_setFaults(params, { faults }) {
      faults.set(readFaultPlan(params[0]));
      return null;
    },

    sandbox_advanceSlots(params, { chain }) {
      const count = integerParam(params, 0);
      if (count > MAX_SLOTS_AT_ONCE) throw invalidParams(`at most ${MAX_SLOTS_AT_ONCE} slots at once`);
      for (let i = 0; i < count; i++) chain.openSlot();
      return chain.slots.slot;
    },

    sandbox_setTime(params, { chain }) {
      const unixMs = integerParam(params, 0);
      if (unixMs > MAX_UNIX_MS)
        throw invalidParams('the time is in milliseconds since 1970, up to the year 9999');
      chain.slots.putForward(new Date(unixMs));
      return null;
    },

    async sandbox_rollBack(params, { chain }) {
      const signatures = chain.rollBack(integerParam(params, 0));
      await chain.synced();
      return signatures;
    },

    async sandbox_mintTo(params) {
      return faucet.mintTo(toOwner(params[0]), toAmount(params[1]));
    },
  };
}

function toOwner(value: Json | undefined): Address {
  return address(toAddress(value));
}

const MAX_U64 = 2n ** 64n - 1n;

function toAmount(value: Json | undefined): bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  const amount = isInteger ? BigInt(value) : -1n;
  if (amount < 0n || amount > MAX_U64)
    throw invalidParams('Invalid params: invalid type, expected an unsigned integer.');
  return amount;
}
