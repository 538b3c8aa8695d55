import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../ledger/genesis.ts';
import { MEMO_PROGRAMS } from '../ledger/memo.ts';
import { isTokenProgram } from '../ledger/token-state.ts';
import { WireError } from '../ledger/wire-reader.ts';
import { type NamedCall, type ParsedCall, utf8 } from './instruction-layout.ts';
import { parseAssociatedToken } from './parse-associated-token.ts';
import { parseLookupTableCall } from './parse-lookup-table-call.ts';
import { parseSystem } from './parse-system.ts';
import { parseToken } from './parse-token.ts';

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

export interface ParsedInstruction {
  program: string;
  programId: string;
  parsed: ParsedCall | string;
}

/** Describes a call to a program that a node knows; undefined if a node shows accounts and data instead. */
export function parseInstruction(programId: string, call: NamedCall): ParsedInstruction | undefined {
  const known = programOf(programId);
  if (!known) return undefined;
  try {
    return { program: known.program, programId, parsed: known.parse(call) };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

interface KnownProgram {
  program: string;
  /** Throws a WireError for a call that the program would not understand either. */
  parse(call: NamedCall): ParsedCall | string;
}

/** Both token programs go by one name here, though their accounts do not. */
const TOKEN: KnownProgram = { program: 'spl-token', parse: parseToken };
const MEMO: KnownProgram = { program: 'spl-memo', parse: ({ data }) => utf8(data) };
const OTHERS = new Map<string, KnownProgram>([
  [SYSTEM_PROGRAM, { program: 'system', parse: parseSystem }],
  [ASSOCIATED_TOKEN_PROGRAM, { program: 'spl-associated-token-account', parse: parseAssociatedToken }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTableCall }],
]);

function programOf(programId: string): KnownProgram | undefined {
  if (isTokenProgram(programId)) return TOKEN;
  return MEMO_PROGRAMS.includes(programId) ? MEMO : OTHERS.get(programId);
}
