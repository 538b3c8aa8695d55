import type { Chain } from '../ledger/chain.ts';
import type { ChainView } from './chain-view.ts';
import type { Faults } from './faults.ts';
import type { Params } from './rpc-params.ts';

/** Objects that a method has to work with. */
export interface RpcCall {
  chain: Chain;
  view: ChainView;
  faults: Faults;
}

export type RpcMethod = (params: Params, call: RpcCall) => unknown;
export type RpcMethods = Record<string, RpcMethod>;
