#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { SANDBOX_USDC_MINT, type SandboxChainOptions, startSandboxChain } from './sandbox-chain.ts';

const USAGE = `florin-sandbox-chain: a Solana network on this machine, for tests

  --port <number>     where it listens on 127.0.0.1 (default 8899; 0: any free port)
  --slot-ms <number>  how long a slot lasts (default 400; 0: until sandbox_advanceSlots ends it)
  --state <folder>    keeps the chain there over restarts (default: it is forgotten)
  --help              prints this text
`;

/** Arguments that make no sense: reported with the usage, exit code 2. */
class Misuse extends Error {}

await run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n${error instanceof Misuse ? `\n${USAGE}` : ''}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
});

/** Runs until SIGINT or SIGTERM; then what happened is on disk and the exit code is 0. */
async function run(): Promise<void> {
  const options = readArguments();
  if (!options) {
    process.stdout.write(USAGE);
    return;
  }
  const chain = await startSandboxChain(options);
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    void chain.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  process.stdout.write(
    `RPC        ${chain.rpcUrl}\nWebSocket  ${chain.wsUrl}\nUSDC mint  ${SANDBOX_USDC_MINT}\n`,
  );
}

/** Undefined when only the usage is wanted. */
function readArguments(): SandboxChainOptions | undefined {
  const { port, 'slot-ms': slotMs, state, help } = parse();
  if (help) return undefined;
  return {
    port: toNumber('--port', port, 65_535),
    slotMs: toNumber('--slot-ms', slotMs, 3_600_000),
    ...(state !== undefined && { stateFolder: state }),
  };
}

function parse() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string', default: '8899' },
        'slot-ms': { type: 'string', default: '400' },
        state: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

function toNumber(name: string, text: string, most: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > most)
    throw new Misuse(`${name} takes a whole number up to ${most}, not "${text}".`);
  return Number(text);
}
