import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './genesis.ts';
import type { WireInstruction, WireMessage } from './wire-transaction.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MAX_COMPUTE_UNITS = 1_400_000n;
const UNITS_PER_BUILTIN = 3_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
const MICRO = 1_000_000n;

/** Cost of a message: its signatures, and what it offers to be preferred. */
export function feeOf(message: WireMessage): bigint {
  const signatures = BigInt(message.requiredSignatures) + checkedSignatures(message);
  return signatures * LAMPORTS_PER_SIGNATURE + priorityFee(message);
}

/** Programs that verify signatures say in their first byte how many. */
const VERIFIERS = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
];

function checkedSignatures(message: WireMessage): bigint {
  const counts = message.instructions.map((instruction) =>
    VERIFIERS.includes(programOf(message, instruction)) ? (instruction.data[0] ?? 0) : 0,
  );
  return BigInt(counts.reduce((sum, count) => sum + count, 0));
}

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

function priorityFee(message: WireMessage): bigint {
  if (message.config) return message.config.priorityFee ?? 0n;
  let limit: bigint | undefined;
  let microLamportsPerUnit = 0n;
  for (const instruction of message.instructions) {
    if (programOf(message, instruction) !== COMPUTE_BUDGET_PROGRAM) continue;
    const { data } = instruction;
    if (data[0] === SET_UNIT_LIMIT && data.length >= 5) limit = BigInt(data.readUInt32LE(1));
    if (data[0] === SET_UNIT_PRICE && data.length >= 9) microLamportsPerUnit = data.readBigUInt64LE(1);
  }
  const units = limit ?? defaultUnits(message);
  const capped = units > MAX_COMPUTE_UNITS ? MAX_COMPUTE_UNITS : units;
  return (capped * microLamportsPerUnit + MICRO - 1n) / MICRO;
}

const BUILTINS = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
];

function defaultUnits(message: WireMessage): bigint {
  return message.instructions.reduce(
    (sum, instruction) =>
      sum + (BUILTINS.includes(programOf(message, instruction)) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION),
    0n,
  );
}

function programOf(message: WireMessage, instruction: WireInstruction): string {
  return message.staticKeys[instruction.programIndex]!;
}
