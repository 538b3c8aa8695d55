import { accountMethods } from './account-methods.ts';
import { clusterMethods } from './cluster-methods.ts';
import type { Faucet } from './faucet.ts';
import { historyMethods } from './history-methods.ts';
import type { RpcMethods } from './rpc-call.ts';
import { sandboxMethods } from './sandbox-methods.ts';
import { transactionMethods } from './transaction-methods.ts';

/** Every method that can be called over HTTP. */
export function rpcMethods(faucet: Faucet): RpcMethods {
  return {
    ...clusterMethods,
    ...accountMethods,
    ...historyMethods,
    ...transactionMethods,
    ...sandboxMethods(faucet),
  };
}
