import type { Json } from '../../platform/lib/json.ts';
import { RpcBadParams, RpcFailure, RpcNotFound, RpcRefusal, RpcUnreadable } from './rpc-failure.ts';

/** Agave since 4.0, for `before` and `until` of getSignaturesForAddress. */
const FILTER_TRANSACTION_NOT_FOUND = -32020;

/** The node has a transaction of a newer version than the client said it supports. */
const UNSUPPORTED_VERSION = -32015;

/** The block was cleaned up, is not available, was skipped, is not in long-term storage, or has no status yet. */
const WITHOUT_TIME = [-32001, -32004, -32007, -32009, -32014];

const INVALID_PARAMS = -32602;

/** Each takes a list of what is stored, of many merchants: one odd entry says nothing about the node. */
const LISTS = ['getMultipleAccounts', 'getSignatureStatuses'];

/** Preflight failed, a signature is wrong, the parameters are wrong. Any other error is the node's own. */
const CALLERS_FAULTS = [-32002, -32003, INVALID_PARAMS];

/** Codes of providers for too many calls. QuickNode's, -32007, means a skipped slot at Solana's own nodes. */
const TOO_MANY_CALLS = [429, -32429];
const OF_CALLS =
  /too many requests|rate.?limit|max usage|(request|usage|credit|capacity).{0,20}(limit|reached|exceeded)|limit.{0,20}(reached|exceeded)/i;
const OF_ITEMS =
  /too many (inputs|accounts|items|signatures)|max(imum)?( of)? \d+ (inputs|accounts|items|signatures)/i;

/** The first argument is a list whose length a plan may limit. */
export function isOfMany(method: string): boolean {
  return LISTS.includes(method);
}

/** Only what is sent, or stored in a list, can be at fault itself: whatever else we ask is ours, and right. */
export function refusalOf(method: string, error: Json, told: string): RpcFailure {
  const code = codeOf(error);
  if (code === FILTER_TRANSACTION_NOT_FOUND) return new RpcNotFound(told);
  if (code === UNSUPPORTED_VERSION) return new RpcUnreadable(told);
  if (method === 'getBlockTime' && WITHOUT_TIME.includes(code)) return new RpcUnreadable(told);
  if (isOfMany(method) && code === INVALID_PARAMS) return new RpcBadParams(told);
  const isOfCaller = method === 'sendTransaction' && CALLERS_FAULTS.includes(code);
  return isOfCaller ? new RpcRefusal(told) : new RpcFailure(told);
}

/** The limit of a provider's plan that an error tells of, whatever its HTTP status. */
export function limitIn(error: Json): 'calls' | 'items' | undefined {
  const { message } = (error ?? {}) as { message?: unknown };
  const told = typeof message === 'string' ? message : '';
  if (TOO_MANY_CALLS.includes(codeOf(error))) return 'calls';
  if (OF_ITEMS.test(told)) return 'items';
  return OF_CALLS.test(told) ? 'calls' : undefined;
}

/** Numbers of items that plans allow in one call. */
const USUAL_LIMITS = [100, 50, 25, 20, 10, 5, 1];

/** The next number to try after a longer list was refused. */
export function limitBelow(length: number): number {
  return USUAL_LIMITS.find((limit) => limit < length) ?? 1;
}

const codeOf = (error: Json) => Number((error as { code?: unknown } | null)?.code);
