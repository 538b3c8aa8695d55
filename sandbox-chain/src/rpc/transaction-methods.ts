import { decodeBase58, MAX_BASE58_CHARS } from '../encoding/base58.ts';
import { addressBytes } from '../ledger/addresses.ts';
import type { Chain } from '../ledger/chain.ts';
import { feeOf } from '../ledger/fees.ts';
import { blockhashOf } from '../ledger/genesis.ts';
import { notExecuted, type Outcome, type Simulation } from '../ledger/runtime.ts';
import { hasValidSignatures } from '../ledger/signatures.ts';
import { describeError } from '../ledger/transaction-error.ts';
import { WireError } from '../ledger/wire-reader.ts';
import { readMessage, readTransaction, type WireTransaction } from '../ledger/wire-transaction.ts';
import { asOf } from './chain-view.ts';
import { latestBlockhash } from './cluster-methods.ts';
import { accountFormatIn, encodeAccount } from './encode-account.ts';
import { encodeInner, encodeReturnData } from './encode-transaction.ts';
import type { RpcMethods } from './rpc-call.ts';
import { invalidParams, PREFLIGHT_FAILURE, RpcError, SIGNATURE_VERIFICATION_FAILURE } from './rpc-error.ts';
import { arrayParam, type Config, configParam, flag, oneOf, stringParam, toAddress } from './rpc-params.ts';
import { submitChecked, submitUnchecked } from './submit-transaction.ts';

/** Everything that takes a transaction in. */
export const transactionMethods: RpcMethods = {
  async sendTransaction(params, { chain, view }) {
    const config = configParam(params, 1);
    const tx = decodeTransaction(stringParam(params, 0), config);
    const preflightSlot = view.slotFor(config, 'preflightCommitment');
    if (flag(config, 'skipPreflight')) {
      await submitUnchecked(chain, tx);
      return tx.signature;
    }
    const failure = await submitChecked(chain, tx, preflightSlot);
    if (failure) throw preflightFailure(failure);
    return tx.signature;
  },

  async simulateTransaction(params, { chain, view }) {
    const config = configParam(params, 1);
    const slot = view.slotFor(config);
    const replaces = flag(config, 'replaceRecentBlockhash');
    const verifies = flag(config, 'sigVerify');
    if (replaces && verifies) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const sent = decodeTransaction(stringParam(params, 0), config);
    const tx = replaces ? withBlockhash(sent, blockhashOf(slot)) : sent;
    if (verifies && !(await hasValidSignatures(tx)))
      throw new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure');
    const refusal = chain.refusal(tx, slot);
    const simulation: Simulation = refusal
      ? { ...notExecuted(refusal), after: () => new Map() }
      : chain.simulate(tx);
    const keys = chain.accountKeys(tx);
    return asOf(slot, {
      ...encodeOutcome(simulation),
      accounts: encodeAfter(chain, simulation, config),
      fee: feeOf(tx.message),
      // Parsed whatever the encoding, as on every node.
      innerInstructions: flag(config, 'innerInstructions')
        ? encodeInner(simulation.innerInstructions, keys?.keys)
        : null,
      loadedAddresses: keys?.loaded ?? null,
      postBalances: null,
      postTokenBalances: null,
      preBalances: null,
      preTokenBalances: null,
      replacementBlockhash: replaces ? latestBlockhash(slot) : null,
    });
  },

  getFeeForMessage(params, { chain, view }) {
    const slot = view.slotFor(configParam(params, 1));
    const message = refusingBadBytes(() => readMessage(fromBase64(stringParam(params, 0))));
    return asOf(slot, chain.slots.isRecent(message.lifetime, slot) ? feeOf(message) : null);
  },
};

function decodeTransaction(text: string, config: Config): WireTransaction {
  const encoding = oneOf(config, 'encoding', ['base58', 'base64'], 'base58');
  return refusingBadBytes(() => readTransaction(encoding === 'base64' ? fromBase64(text) : fromBase58(text)));
}

function refusingBadBytes<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof WireError ? invalidParams(error.message) : error;
  }
}

function fromBase64(text: string): Buffer {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw invalidParams('invalid base64 encoding: InvalidByte');
  return Buffer.from(text, 'base64');
}

function fromBase58(text: string): Buffer {
  if (text.length > MAX_BASE58_CHARS)
    throw invalidParams(
      `base58 encoded transaction too large: ${text.length} bytes (max: ${MAX_BASE58_CHARS})`,
    );
  const bytes = decodeBase58(text);
  if (!bytes) throw invalidParams('invalid base58 encoding: InvalidCharacter');
  return Buffer.from(bytes);
}

function preflightFailure(outcome: Outcome): RpcError {
  const { err } = outcome;
  return new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${err && describeError(err)}`, {
    ...encodeOutcome(outcome),
    accounts: null,
    innerInstructions: null,
    replacementBlockhash: null,
  });
}

function encodeOutcome({ err, logs, unitsConsumed, returnData }: Outcome) {
  return { err, logs, returnData: returnData && encodeReturnData(returnData), unitsConsumed };
}

function withBlockhash(tx: WireTransaction, blockhash: string): WireTransaction {
  const bytes = Buffer.from(tx.bytes);
  bytes.set(addressBytes(blockhash), tx.message.lifetimeAt);
  return readTransaction(bytes);
}

function encodeAfter(chain: Chain, simulation: Simulation, config: Config): unknown {
  const wanted = config.accounts ?? null;
  if (wanted === null) return null;
  const { addresses: list = null, ...rest } = configParam([wanted], 0);
  const addresses = arrayParam([list], 0).map(toAddress);
  if (simulation.err !== null) return addresses.map(() => null);
  const after = simulation.after();
  const read = (address: string) => after.get(address) ?? chain.accounts.latest(address);
  const format = accountFormatIn(rest, 'base64');
  return addresses.map((address) => {
    const state = read(address);
    return state && state.lamports > 0n ? encodeAccount(state, format, read) : null;
  });
}
