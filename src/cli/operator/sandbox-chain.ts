import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { chainFolder, type OwnChain, startOwnChain } from '../../service/own-chain.ts';
import { listWrappers, onWrapperEnd } from '../../service/wrapper-processes.ts';
import { CommandFailed, type CommandOutput } from './context.ts';

export interface SandboxChainOptions {
  host: string;
  port: number;
  /** The folder of the ledger; default: where a service keeps its own. */
  state?: string;
}

/** Runs the sandbox's chain alone, for a service of several processes, until it is stopped. */
export async function sandboxChainCommand(
  { print }: CommandOutput,
  config: Config,
  { host, port, state }: SandboxChainOptions,
): Promise<void> {
  if (config.FLORIN_NETWORK !== 'sandbox')
    throw new CommandFailed(
      `FLORIN_NETWORK is ${config.FLORIN_NETWORK}, which has nodes of its own: only a sandbox needs a chain`,
    );
  const wrappers = listWrappers();
  const folder = state === undefined ? chainFolder(config) : resolve(state);
  // Its time is the machine's until a watcher tells it the service's.
  const own = await startOwnChain(config, systemClock(), { folder, host, port });
  const ended = stopOnSignal(own, wrappers);
  const { rpcUrl, wsUrl } = own.chain;
  print(
    { rpcUrl, wsUrl, state: folder },
    [
      `The sandbox chain runs at ${rpcUrl}, with its ledger in ${folder}.`,
      '',
      'Set this for every process of the service:',
      `  SOLANA_RPC_URLS=${rpcUrl}`,
      `  SOLANA_WS_URL=${wsUrl}`,
    ].join('\n'),
  );
  await ended;
}

/** Resolves once the ledger is closed. */
function stopOnSignal(own: OwnChain, wrappers: ReturnType<typeof listWrappers>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping) return;
      isStopping = true;
      own.stop().then(resolve, reject);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    onWrapperEnd(wrappers, stop);
  });
}
