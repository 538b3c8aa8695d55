import type { Chain } from '../ledger/chain.ts';
import { commitmentOf } from '../ledger/commitment.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { asOf, type ChainView } from './chain-view.ts';
import { encodeTransaction, statusOf, TRANSACTION_ENCODINGS } from './encode-transaction.ts';
import type { Faults } from './faults.ts';
import type { RpcCall, RpcMethods } from './rpc-call.ts';
import { invalidParams } from './rpc-error.ts';
import {
  arrayParam,
  type Config,
  configParam,
  flag,
  oneOf,
  optionalInteger,
  type Params,
  settledCommitmentIn,
  toAddress,
  toSignature,
} from './rpc-params.ts';

const MAX_STATUSES = 256;
const MAX_PAGE = 1_000;
/** Without searchTransactionHistory a node looks only into what it still has at hand. */
const RECENT_SLOTS = 300;
const METHOD = 'getSignaturesForAddress';

/** What happened: statuses, lists of signatures, whole transactions. */
export const historyMethods: RpcMethods = {
  getSignatureStatuses(params, { chain, view }) {
    const signatures = arrayParam(params, 0).map(toSignature);
    if (signatures.length > MAX_STATUSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const oldest = flag(configParam(params, 1), 'searchTransactionHistory')
      ? 0
      : view.openSlot - RECENT_SLOTS;
    const value = signatures.map((signature) => {
      const entry = chain.ledger.find(signature);
      const isShown = entry !== undefined && entry.slot <= view.openSlot && entry.slot >= oldest;
      return isShown ? encodeStatus(entry, view) : null;
    });
    return asOf(view.openSlot, value);
  },

  getSignaturesForAddress(params, call) {
    const entries = pageOf(params, call);
    return withFaults(entries, call.faults).map((entry) => encodeListed(entry, call.view));
  },

  getTransaction(params, { chain, view, faults }) {
    const signature = toSignature(params[0]);
    // The oldest form of the call names the encoding alone.
    const config = typeof params[1] === 'string' ? { encoding: params[1] } : configParam(params, 1);
    const encoding = oneOf(config, 'encoding', TRANSACTION_ENCODINGS, 'json');
    const maxVersion = optionalInteger(config, 'maxSupportedTransactionVersion');
    settledCommitmentIn(config);
    const maxSlot = view.slotFor(config);
    const entry = chain.ledger.find(signature);
    if (!entry || entry.slot > maxSlot || isMissing(signature, faults)) return null;
    return encodeTransaction(chain.details(entry), encoding, maxVersion);
  },
};

function encodeStatus(entry: LedgerEntry, { openSlot }: ChainView) {
  const confirmationStatus = commitmentOf(entry.slot, openSlot);
  return {
    confirmationStatus,
    confirmations: confirmationStatus === 'finalized' ? null : openSlot - entry.slot,
    err: entry.err,
    slot: entry.slot,
    status: statusOf(entry.err),
  };
}

function pageOf(params: Params, { chain, view, faults }: RpcCall): LedgerEntry[] {
  const address = toAddress(params[0]);
  const config = configParam(params, 1);
  settledCommitmentIn(config);
  const limit = optionalInteger(config, 'limit') ?? MAX_PAGE;
  if (limit === 0 || limit > MAX_PAGE) throw invalidParams(`Invalid limit; max ${MAX_PAGE}`);
  const maxSlot = view.slotFor(config);
  const before = entryIn(config, 'before', chain);
  const until = entryIn(config, 'until', chain);
  // A node that does not know where to begin has nothing to tell; one that does not know where to stop, all.
  if (before === 'unknown') return [];
  const goesOn = until === 'unknown' || faults.strike('ignoreUntil', METHOD) !== undefined;
  const short = faults.strike('shortPage', METHOD);
  const most = short ? Math.min(limit, short.effect.max) : limit;
  return chain.ledger.page(address, { before, until: goesOn ? undefined : until, limit: most, maxSlot });
}

function entryIn(config: Config, key: string, chain: Chain): LedgerEntry | 'unknown' | undefined {
  const signature = config[key] ?? undefined;
  if (signature === undefined) return undefined;
  return chain.ledger.find(toSignature(signature)) ?? 'unknown';
}

function withFaults(entries: LedgerEntry[], faults: Faults): LedgerEntry[] {
  let told = entries;
  const hide = faults.strike('hideSignatures', METHOD);
  if (hide) {
    const { signatures, share = 1 } = hide.effect;
    told = told.filter((entry) => {
      const isMeant = signatures?.includes(entry.signature) ?? true;
      return !(isMeant && hide.random() < share);
    });
  }
  const repeat = faults.strike('repeatSignatures', METHOD);
  if (repeat) {
    const { share = 1 } = repeat.effect;
    told = told.flatMap((entry) => (repeat.random() < share ? [entry, entry] : [entry]));
  }
  return faults.strike('reverseOrder', METHOD) ? told.toReversed() : told;
}

function encodeListed(entry: LedgerEntry, { openSlot }: ChainView) {
  return {
    blockTime: entry.blockTime,
    confirmationStatus: commitmentOf(entry.slot, openSlot),
    err: entry.err,
    memo: entry.memo,
    signature: entry.signature,
    slot: entry.slot,
  };
}

/** Only a call that asks for one of the named transactions counts as a chance to lose it. */
function isMissing(signature: string, faults: Faults): boolean {
  return (
    faults.strike(
      'missingTransaction',
      'getTransaction',
      ({ signatures }) => signatures?.includes(signature) ?? true,
    ) !== undefined
  );
}
