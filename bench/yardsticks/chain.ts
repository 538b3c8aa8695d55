import { startSandboxChain } from '@florin/sandbox-chain';

/** The sandbox chain in a process of its own, so that what it costs is not counted as the service's. */
const chain = await startSandboxChain({ slotMs: Number(process.env.SLOT_MS), now: () => new Date() });
chain.advanceSlots(40);

process.on('SIGTERM', () => process.exit(0));
process.stdout.write(`${chain.rpcUrl}\n`);
