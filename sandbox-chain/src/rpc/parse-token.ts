import { extensionName } from '../ledger/token-extensions.ts';
import { tokenAmountOf } from '../ledger/token-state.ts';
import { WireError } from '../ledger/wire-reader.ts';
import {
  type Info,
  InstructionReader,
  type Layout,
  type NamedCall,
  type ParsedCall,
  readCall,
  utf8,
} from './instruction-layout.ts';

interface TokenLayout extends Layout {
  /**
   * Fields for the signer, which comes after the named accounts: one for a single signer, one for a multisig with its
   * signers.
   */
  signer?: readonly [single: string, multisig: string];
  /** All accounts after the named ones, at least one, are signers. */
  hasSigners?: boolean;
}

/**
 * A call of either token program. Extensions of Token-2022 have calls of their own, which are not read here. Like
 * every node, this counts any account after the authority as a signer of a multisig, Solana Pay's references too.
 */
export function parseToken(call: NamedCall): ParsedCall {
  const reader = new InstructionReader(call.data);
  const tag = reader.u8();
  if (call.accounts.length === 0) throw new WireError('no accounts');
  if (tag === BATCH) return parseBatch(call, reader);
  const layout = tag === SET_AUTHORITY ? setAuthorityLayout(reader.peek()) : LAYOUTS[tag];
  if (!layout) throw new WireError('unknown instruction');
  const parsed = readCall(layout, call, reader);
  return { ...parsed, info: { ...parsed.info, ...signersOf(layout, call.accounts) } };
}

function signersOf({ signer, hasSigners, accounts: named }: TokenLayout, accounts: readonly string[]): Info {
  const [first, ...others] = accounts.slice(named.length);
  if (!signer && !hasSigners) return {};
  if (first === undefined) throw new WireError('too few accounts');
  if (!signer) return { signers: [first, ...others] };
  return others.length === 0 ? { [signer[0]]: first } : { [signer[1]]: first, signers: others };
}

const AUTHORITY = ['authority', 'multisigAuthority'] as const;
const OWNER = ['owner', 'multisigOwner'] as const;
const MINT_AUTHORITY = ['mintAuthority', 'multisigMintAuthority'] as const;
const FREEZE_AUTHORITY = ['freezeAuthority', 'multisigFreezeAuthority'] as const;

const amount = (reader: InstructionReader) => ({ amount: reader.u64().toString() });
const owner = (reader: InstructionReader) => ({ owner: reader.address() });
const threshold = (reader: InstructionReader) => ({ m: reader.u8() });

/** The decimals are those the sender named; if they are wrong, the call fails. */
function tokenAmount(reader: InstructionReader): Info {
  const units = reader.u64();
  return { tokenAmount: tokenAmountOf(units, reader.u8()) };
}

function newMint(reader: InstructionReader): Info {
  const [decimals, mintAuthority] = [reader.u8(), reader.address()];
  const freezeAuthority = reader.optionalAddress();
  return { decimals, mintAuthority, ...(freezeAuthority !== undefined && { freezeAuthority }) };
}

const LAYOUTS: Record<number, TokenLayout> = {
  0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], fields: newMint },
  1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
  2: {
    type: 'initializeMultisig',
    accounts: ['multisig', 'rentSysvar'],
    fields: threshold,
    hasSigners: true,
  },
  3: { type: 'transfer', accounts: ['source', 'destination'], fields: amount, signer: AUTHORITY },
  4: { type: 'approve', accounts: ['source', 'delegate'], fields: amount, signer: OWNER },
  5: { type: 'revoke', accounts: ['source'], signer: OWNER },
  7: { type: 'mintTo', accounts: ['mint', 'account'], fields: amount, signer: MINT_AUTHORITY },
  8: { type: 'burn', accounts: ['account', 'mint'], fields: amount, signer: AUTHORITY },
  9: { type: 'closeAccount', accounts: ['account', 'destination'], signer: OWNER },
  10: { type: 'freezeAccount', accounts: ['account', 'mint'], signer: FREEZE_AUTHORITY },
  11: { type: 'thawAccount', accounts: ['account', 'mint'], signer: FREEZE_AUTHORITY },
  12: {
    type: 'transferChecked',
    accounts: ['source', 'mint', 'destination'],
    fields: tokenAmount,
    signer: AUTHORITY,
  },
  13: {
    type: 'approveChecked',
    accounts: ['source', 'mint', 'delegate'],
    fields: tokenAmount,
    signer: OWNER,
  },
  14: { type: 'mintToChecked', accounts: ['mint', 'account'], fields: tokenAmount, signer: MINT_AUTHORITY },
  15: { type: 'burnChecked', accounts: ['account', 'mint'], fields: tokenAmount, signer: AUTHORITY },
  16: { type: 'initializeAccount2', accounts: ['account', 'mint', 'rentSysvar'], fields: owner },
  17: { type: 'syncNative', accounts: ['account'] },
  18: { type: 'initializeAccount3', accounts: ['account', 'mint'], fields: owner },
  19: { type: 'initializeMultisig2', accounts: ['multisig'], fields: threshold, hasSigners: true },
  20: { type: 'initializeMint2', accounts: ['mint'], fields: newMint },
  21: { type: 'getAccountDataSize', accounts: ['mint'], fields: extensionTypes },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
  23: { type: 'amountToUiAmount', accounts: ['mint'], fields: amount },
  24: {
    type: 'uiAmountToAmount',
    accounts: ['mint'],
    fields: (reader) => ({ uiAmount: utf8(reader.rest()) }),
  },
  31: { type: 'createNativeMint', accounts: ['payer', 'nativeMint', 'systemProgram'] },
  32: { type: 'initializeNonTransferableMint', accounts: ['mint'] },
  38: { type: 'withdrawExcessLamports', accounts: ['source', 'destination'], signer: AUTHORITY },
  45: {
    type: 'unwrapLamports',
    accounts: ['source', 'destination'],
    fields: optionalAmount,
    signer: AUTHORITY,
  },
};

function extensionTypes(reader: InstructionReader): Info {
  if (reader.left === 0) return {};
  return { extensionTypes: reader.list(Math.ceil(reader.left / 2), () => extensionName(reader.u16())) };
}

function optionalAmount(reader: InstructionReader): Info {
  return reader.u8() === 1 ? amount(reader) : {};
}

const SET_AUTHORITY = 6;
/** In the order of their numbers. */
const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
];

/** The account goes by what it is: only these two authorities are those of a token account. */
function setAuthorityLayout(kind: number): TokenLayout | undefined {
  const authorityType = AUTHORITY_TYPES[kind];
  if (authorityType === undefined) return undefined;
  const isOfAccount = authorityType === 'accountOwner' || authorityType === 'closeAccount';
  const fields = (reader: InstructionReader): Info => {
    reader.u8();
    return { authorityType, newAuthority: reader.optionalAddress() ?? null };
  };
  return {
    type: 'setAuthority',
    accounts: [isOfAccount ? 'account' : 'mint'],
    fields,
    signer: AUTHORITY,
  };
}

const BATCH = 255;

/** Several calls in one: each tells how many accounts it takes and how long its data is. */
function parseBatch({ accounts }: NamedCall, reader: InstructionReader): ParsedCall {
  const instructions: ParsedCall[] = [];
  let taken = 0;
  while (reader.left > 0) {
    const [count, length] = [reader.u8(), reader.u8()];
    const data = reader.bytes(length);
    if (data[0] === BATCH || taken + count > accounts.length) throw new WireError('no such batch');
    instructions.push(parseToken({ accounts: accounts.slice(taken, taken + count), data }));
    taken += count;
  }
  return { type: 'batch', info: { instructions } };
}
