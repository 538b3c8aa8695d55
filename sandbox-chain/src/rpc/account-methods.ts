import { isTokenProgram, mintOf, tokenAccountOf, tokenAmountOf } from '../ledger/token-state.ts';
import { asOf } from './chain-view.ts';
import { accountFormatIn, encodeAccount } from './encode-account.ts';
import type { RpcCall, RpcMethods } from './rpc-call.ts';
import { invalidParams } from './rpc-error.ts';
import { arrayParam, configParam, integerParam, type Params, toAddress } from './rpc-params.ts';

const MAX_MULTIPLE_ACCOUNTS = 100;

/** Accounts as they stood at the slot that the commitment names. */
export const accountMethods: RpcMethods = {
  getAccountInfo(params, call) {
    const address = toAddress(params[0]);
    const config = configParam(params, 1);
    const slot = call.view.slotFor(config);
    return asOf(slot, encoderAt(slot, params, call)(address));
  },

  getMultipleAccounts(params, call) {
    const addresses = arrayParam(params, 0).map(toAddress);
    if (addresses.length > MAX_MULTIPLE_ACCOUNTS)
      throw invalidParams(`Too many inputs provided; max ${MAX_MULTIPLE_ACCOUNTS}`);
    const slot = call.view.slotFor(configParam(params, 1));
    return asOf(slot, addresses.map(encoderAt(slot, params, call, 'base64')));
  },

  getBalance(params, { chain, view }) {
    const address = toAddress(params[0]);
    const slot = view.slotFor(configParam(params, 1));
    return asOf(slot, chain.accounts.at(address, slot)?.lamports ?? 0);
  },

  getTokenAccountsByOwner(params, { chain, view }) {
    const owner = toAddress(params[0]);
    const filter = configParam(params, 1);
    const config = configParam(params, 2);
    const format = accountFormatIn(config);
    const slot = view.slotFor(config);
    const read = (address: string) => chain.accounts.at(address, slot);
    const wanted = tokenFilter(filter, (mint) => mintOf(read(mint)) !== undefined);
    const value = chain.accounts.tokenAccountsOfOwner(owner).flatMap((pubkey) => {
      const state = read(pubkey);
      const token = tokenAccountOf(state);
      if (!state || token?.owner !== owner || !wanted(token)) return [];
      return { account: encodeAccount(state, format, read), pubkey };
    });
    return asOf(slot, value);
  },

  getTokenAccountBalance(params, { chain, view }) {
    const address = toAddress(params[0]);
    const slot = view.slotFor(configParam(params, 1));
    const account = chain.accounts.at(address, slot);
    if (!account) throw invalidParams('Invalid param: could not find account');
    const token = tokenAccountOf(account);
    if (!token) throw invalidParams('Invalid param: not a Token account');
    const mint = mintOf(chain.accounts.at(token.mint, slot));
    if (!mint) throw invalidParams('Invalid param: could not find mint');
    return asOf(slot, tokenAmountOf(token.amount, mint.decimals));
  },

  getTokenSupply(params, { chain, view }) {
    const address = toAddress(params[0]);
    const slot = view.slotFor(configParam(params, 1));
    const account = chain.accounts.at(address, slot);
    if (!account) throw invalidParams('Invalid param: could not find account');
    if (!isTokenProgram(account.owner)) throw invalidParams('Invalid param: not a Token mint');
    const mint = mintOf(account);
    if (!mint) throw invalidParams('Invalid param: mint could not be unpacked');
    return asOf(slot, tokenAmountOf(mint.supply, mint.decimals));
  },

  getMinimumBalanceForRentExemption(params, { chain }) {
    return chain.runtime.rentExemptLamports(integerParam(params, 0));
  },
};

function encoderAt(slot: number, params: Params, { chain }: RpcCall, fallback?: 'base64') {
  const format = accountFormatIn(configParam(params, 1), fallback);
  const read = (address: string) => chain.accounts.at(address, slot);
  return (address: string) => {
    const state = read(address);
    return state ? encodeAccount(state, format, read) : null;
  };
}

interface TokenParts {
  mint: string;
  programId: string;
}

function tokenFilter(
  filter: ReturnType<typeof configParam>,
  isMint: (address: string) => boolean,
): (token: TokenParts) => boolean {
  if (filter.mint !== undefined) {
    const mint = toAddress(filter.mint);
    if (!isMint(mint)) throw invalidParams('Invalid param: could not find mint');
    return (token) => token.mint === mint;
  }
  const programId = toAddress(filter.programId);
  if (!isTokenProgram(programId)) throw invalidParams('Invalid param: unrecognized Token program id');
  return (token) => token.programId === programId;
}
