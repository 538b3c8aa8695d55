import { type Json, parseJson } from '../encoding/json.ts';
import { MAX_LAG_SLOTS } from '../ledger/accounts.ts';
import type { Chain } from '../ledger/chain.ts';
import { emptied, misshapen } from './broken-results.ts';
import { ChainView } from './chain-view.ts';
import type { Faults } from './faults.ts';
import { ODD_FORMS, oddResult } from './odd-answers.ts';
import type { RpcMethods } from './rpc-call.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError } from './rpc-error.ts';
import { SANDBOX_PREFIX } from './sandbox-methods.ts';

export interface RpcRequest {
  id: Json;
  method: string;
  params: Json[];
}

/** One request, a batch of them, or what cannot be read as either. */
export type Incoming = RpcRequest | RpcRequest[] | { unreadable: object };

/** A request without id wants no answer; such ones are left out. */
export function readRequests(body: string): Incoming {
  const value = parseOrUndefined(body);
  if (value === undefined) return { unreadable: failure(null, new RpcError(PARSE_ERROR, 'Parse error')) };
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every(isRequest))
    return { unreadable: failure(null, new RpcError(INVALID_REQUEST, 'Invalid request')) };
  const requests = list
    .filter((item) => item.id !== undefined)
    .map(({ id, method, params }) => ({
      id: id as Json,
      method: method as string,
      params: paramsOf(params),
    }));
  return Array.isArray(value) ? requests : (requests[0] ?? []);
}

function parseOrUndefined(body: string): Json | undefined {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function isRequest(value: Json): value is { [key: string]: Json } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    value.jsonrpc === '2.0' &&
    typeof value.method === 'string' &&
    isId(value.id)
  );
}

/** True if an answer can repeat it; anything else, such as a thousand arrays in each other, is no id. */
function isId(id: Json | undefined): boolean {
  return id === null || !['object', 'boolean'].includes(typeof id);
}

function paramsOf(params: Json | undefined): Json[] {
  return Array.isArray(params) ? params : [];
}

export interface Answering {
  chain: Chain;
  faults: Faults;
  methods: RpcMethods;
}

/** Answers one request, faults of the node itself included; those of the way to it come later. */
export async function answerRequest(request: RpcRequest, answering: Answering): Promise<object> {
  try {
    return { jsonrpc: '2.0', result: await resultOf(request, answering), id: request.id };
  } catch (error) {
    return failure(
      request.id,
      error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error'),
    );
  }
}

async function resultOf(
  { method, params }: RpcRequest,
  { chain, faults, methods }: Answering,
): Promise<unknown> {
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!run) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
  if (method.startsWith(SANDBOX_PREFIX)) return run(params, { chain, faults, view: new ChainView(chain) });
  const error = faults.strike('rpcError', method)?.effect;
  if (error) throw new RpcError(error.code ?? INTERNAL_ERROR, error.message ?? 'Internal error');
  const result = await run(params, { chain, faults, view: viewOf(method, chain, faults) });
  if (faults.strike('silence', method)) return emptied(method, result);
  const isShape = (wanted: string) => (effect: { shape: string }) => effect.shape === wanted;
  if (faults.strike('garbage', method, isShape('nullResult'))) return null;
  if (faults.strike('garbage', method, isShape('wrongShape'))) return misshapen(result);
  return madeOdd({ method, params }, result, faults);
}

function viewOf(method: string, chain: Chain, faults: Faults): ChainView {
  const lagSlots = Math.min(faults.strike('lag', method)?.effect.slots ?? 0, MAX_LAG_SLOTS);
  const pruned = faults.strike('pruned', method)?.effect;
  const late = faults.strike('lateArchive', method)?.effect;
  return new ChainView(chain, {
    lagSlots,
    keptSlots: pruned?.slots ?? late?.keptSlots,
    archiveLagSlots: late?.slots,
  });
}

/** Several forms may strike one answer. A list can be about any signature; a transaction is about its own. */
function madeOdd({ method, params }: Omit<RpcRequest, 'id'>, result: unknown, faults: Faults): unknown {
  let told = result;
  for (const form of ODD_FORMS) {
    const odd = faults.strike('odd', method, (effect) => {
      const { signatures } = effect;
      const isAbout = method !== 'getTransaction' || signatures?.includes(params[0] as string) !== false;
      return effect.form === form && isAbout;
    });
    if (odd) told = oddResult(form, method, told, odd.effect.signatures);
  }
  return told;
}

export function failure(id: Json, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id };
}
