/** The package's API. Everything else is its own. */
export {
  SANDBOX_FIRST_SLOT,
  SANDBOX_GENESIS_HASH,
  SANDBOX_USDC_AUTHORITY,
  SANDBOX_USDC_DECIMALS,
  SANDBOX_USDC_MINT,
  type SandboxKey,
} from './ledger/genesis.ts';
export type { FaultEffect, FaultKind, FaultPlan, FaultRule, Faults } from './rpc/faults.ts';
export type { OddForm } from './rpc/odd-answers.ts';
export { seededRandom } from './rpc/seeded-random.ts';
export {
  type SandboxChain,
  type SandboxChainOptions,
  type SandboxNode,
  startSandboxChain,
} from './rpc/start-sandbox-chain.ts';
