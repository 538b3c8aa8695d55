import { type AccountState, LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../ledger/genesis.ts';
import {
  extensionBytesOf,
  isTokenProgram,
  type Mint,
  mintOf,
  multisigOf,
  type TokenAccount,
  tokenAccountOf,
  tokenAmountOf,
} from '../ledger/token-state.ts';
import { WireError } from '../ledger/wire-reader.ts';
import { InstructionReader, type ParsedCall } from './instruction-layout.ts';
import { parseExtensions } from './parse-extensions.ts';

/** Finds the mint of a token account: its decimals are not in the account itself. */
export type Read = (address: string) => AccountState | undefined;

export interface ParsedAccount {
  program: string;
  parsed: ParsedCall;
  space: number;
}

/** The data of an account of a program that nodes know; undefined where they fall back to base64. */
export function parseAccount(account: AccountState, read: Read): ParsedAccount | undefined {
  const { owner, data } = account;
  const space = data.length;
  if (isTokenProgram(owner)) {
    const parsed = parseTokenState(account, read);
    return parsed && { program: owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022', parsed, space };
  }
  const known = OTHERS.get(owner);
  if (!known) return undefined;
  try {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return { program: known.program, parsed: known.parse(new InstructionReader(bytes)), space };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function parseTokenState(account: AccountState, read: Read): ParsedCall | undefined {
  const extensions = parseExtensions(extensionBytesOf(account));
  const more = extensions.length > 0 ? { extensions } : {};
  const token = tokenAccountOf(account);
  if (token) {
    const mint = mintOf(read(token.mint));
    return mint && { info: { ...tokenAccountInfo(token, mint), ...more }, type: 'account' };
  }
  const mint = mintOf(account);
  if (mint) return { info: { ...mintInfo(mint), ...more }, type: 'mint' };
  const multisig = multisigOf(account);
  if (!multisig) return undefined;
  const { requiredSigners, signers } = multisig;
  const info = {
    isInitialized: true,
    numRequiredSigners: requiredSigners,
    numValidSigners: signers.length,
    signers,
  };
  return { info, type: 'multisig' };
}

function tokenAccountInfo(token: TokenAccount, { decimals }: Mint) {
  return {
    isNative: token.nativeReserve !== undefined,
    mint: token.mint,
    owner: token.owner,
    state: token.state,
    tokenAmount: tokenAmountOf(token.amount, decimals),
    ...(token.delegate !== undefined && {
      delegate: token.delegate,
      delegatedAmount: tokenAmountOf(token.delegatedAmount, decimals),
    }),
    ...(token.nativeReserve !== undefined && {
      rentExemptReserve: tokenAmountOf(token.nativeReserve, decimals),
    }),
    ...(token.closeAuthority !== undefined && { closeAuthority: token.closeAuthority }),
  };
}

function mintInfo(mint: Mint) {
  return {
    decimals: mint.decimals,
    freezeAuthority: mint.freezeAuthority ?? null,
    isInitialized: true,
    mintAuthority: mint.mintAuthority ?? null,
    supply: mint.supply.toString(),
  };
}

const INITIALIZED = 1;

/** A wallet belongs to the system program too: what holds no nonce is not parsed. */
function parseNonce(reader: InstructionReader): ParsedCall {
  const [version, state] = [reader.u32(), reader.u32()];
  if (version > 1 || state !== INITIALIZED) throw new WireError('no nonce');
  const [authority, blockhash] = [reader.address(), reader.address()];
  const feeCalculator = { lamportsPerSignature: reader.u64().toString() };
  return { info: { authority, blockhash, feeCalculator }, type: 'initialized' };
}

const LOOKUP_TABLE = 1;
const ADDRESSES_AT = 56;

function parseLookupTable(reader: InstructionReader): ParsedCall {
  if (reader.u32() !== LOOKUP_TABLE) throw new WireError('no lookup table');
  const [deactivationSlot, lastExtendedSlot] = [reader.u64().toString(), reader.u64().toString()];
  const lastExtendedSlotStartIndex = reader.u8();
  const authority = reader.optionalAddress();
  reader.bytes(ADDRESSES_AT - reader.at);
  const addresses = reader.list(reader.left / 32, () => reader.address());
  const info = { addresses, deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex };
  return { info: { ...info, ...(authority !== undefined && { authority }) }, type: 'lookupTable' };
}

const OTHERS = new Map<string, { program: string; parse(reader: InstructionReader): ParsedCall }>([
  [SYSTEM_PROGRAM, { program: 'nonce', parse: parseNonce }],
  [LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseLookupTable }],
]);
