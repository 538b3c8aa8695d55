import { commitmentOf } from '../ledger/commitment.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { Ledger, Page } from '../ledger/ledger.ts';
import { asOf, type ChainView } from './chain-view.ts';
import { encodeTransaction, statusOf, TRANSACTION_ENCODINGS } from './encode-transaction.ts';
import type { Faults } from './faults.ts';
import type { KeptHistory } from './kept-history.ts';
import type { RpcCall, RpcMethods } from './rpc-call.ts';
import { FILTER_TRANSACTION_NOT_FOUND, invalidParams, RpcError } from './rpc-error.ts';
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

/** Methods about the past: statuses, lists of signatures, whole transactions. */
export const historyMethods: RpcMethods = {
  getSignatureStatuses(params, { view }) {
    const signatures = arrayParam(params, 0).map(toSignature);
    if (signatures.length > MAX_STATUSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const oldest = flag(configParam(params, 1), 'searchTransactionHistory')
      ? 0
      : view.openSlot - RECENT_SLOTS;
    const value = signatures.map((signature) => {
      const entry = view.find(signature);
      return entry && entry.slot >= oldest ? encodeStatus(entry, view) : null;
    });
    return asOf(view.openSlot, value);
  },

  getSignaturesForAddress(params, call) {
    const entries = pageOf(params, call);
    return withFaults(entries, call.faults).map((entry) => encodeListed(entry, call));
  },

  getTransaction(params, { chain, view, faults }) {
    const signature = toSignature(params[0]);
    // The oldest form of the call names the encoding alone.
    const config = typeof params[1] === 'string' ? { encoding: params[1] } : configParam(params, 1);
    const encoding = oneOf(config, 'encoding', TRANSACTION_ENCODINGS, 'json');
    const maxVersion = optionalInteger(config, 'maxSupportedTransactionVersion');
    settledCommitmentIn(config);
    const maxSlot = view.slotFor(config);
    const entry = view.find(signature);
    if (!entry || entry.slot > maxSlot || isMissing(signature, faults)) return null;
    return encodeTransaction(chain.details(entry), chain.ledger.indexInSlot(entry), encoding, maxVersion);
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
  const before = filterIn(config, 'before', view, faults);
  const until = filterIn(config, 'until', view, faults);
  refuseUnknown(view.kept, before, until, () => {
    const page = { before: before?.entry, until: until?.entry, limit, maxSlot };
    const local = chain.ledger.page(address, page).filter(({ slot }) => view.kept.isLocal(slot));
    return local.length < limit;
  });
  const goesOn = faults.strike('ignoreUntil', METHOD) !== undefined;
  const short = faults.strike('shortPage', METHOD);
  const most = short ? Math.min(limit, short.effect.max) : limit;
  return listed(chain.ledger, address, view.kept, {
    before: before?.entry,
    until: goesOn ? undefined : until?.entry,
    limit: most,
    maxSlot,
  });
}

interface Filter {
  signature: string;
  /** Undefined: this node does not have it. */
  entry: LedgerEntry | undefined;
}

function filterIn(
  config: Config,
  key: 'before' | 'until',
  view: ChainView,
  faults: Faults,
): Filter | undefined {
  if ((config[key] ?? undefined) === undefined) return undefined;
  const signature = toSignature(config[key]);
  const isLost =
    faults.strike('unknownFilter', METHOD, ({ filter }) => (filter ?? key) === key) !== undefined;
  return { signature, entry: isLost ? undefined : view.find(signature) };
}

/**
 * Behaves like Agave since 4.0: `before` and `until` must be known. A node that does not find enough in its own ledger
 * continues in its long-term storage, if it has one, and then `until` must be known there, too.
 */
function refuseUnknown(
  kept: KeptHistory,
  before: Filter | undefined,
  until: Filter | undefined,
  asksArchive: () => boolean,
): void {
  if (before && !before.entry) throw notFound(before);
  if (!until) return;
  if (!until.entry) throw notFound(until);
  if (kept.hasArchive && !kept.isArchived(until.entry.slot) && asksArchive()) throw notFound(until);
}

function notFound({ signature }: Filter): RpcError {
  return new RpcError(FILTER_TRANSACTION_NOT_FOUND, `Transaction ${signature} not found`);
}

/** Page after page of the whole ledger, until there are enough that this node has. */
function listed(ledger: Ledger, address: string, kept: KeptHistory, page: Page): LedgerEntry[] {
  const found: LedgerEntry[] = [];
  for (let before = page.before; ; ) {
    const entries = ledger.page(address, { ...page, before });
    found.push(...entries.filter((entry) => kept.has(entry)));
    if (entries.length < page.limit || found.length >= page.limit) return found.slice(0, page.limit);
    before = entries.at(-1);
  }
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

function encodeListed(entry: LedgerEntry, { chain, view }: RpcCall) {
  return {
    blockTime: entry.blockTime,
    confirmationStatus: commitmentOf(entry.slot, view.openSlot),
    err: entry.err,
    memo: entry.memo,
    signature: entry.signature,
    slot: entry.slot,
    transactionIndex: chain.ledger.indexInSlot(entry),
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
