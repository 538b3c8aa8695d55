import { WireError } from '../ledger/wire-reader.ts';
import {
  type Info,
  InstructionReader,
  type Layout,
  type NamedCall,
  type ParsedCall,
  readCall,
} from './instruction-layout.ts';

export function parseSystem(call: NamedCall): ParsedCall {
  const reader = new InstructionReader(call.data);
  const tag = reader.u32();
  if (tag === CREATE_ALLOWING_PREFUND) return readCall(prefundLayout(reader), call, reader);
  const layout = LAYOUTS[tag];
  if (!layout) throw new WireError('unknown instruction');
  return readCall(layout, call, reader);
}

type Field = (reader: InstructionReader) => unknown;
const u64: Field = (reader) => reader.u64();
const key: Field = (reader) => reader.address();
const text: Field = (reader) => reader.text();

/** Fields in the order of the data. */
function fields(...list: [name: string, read: Field][]): (reader: InstructionReader) => Info {
  return (reader) => Object.fromEntries(list.map(([name, read]) => [name, read(reader)]));
}

const NONCE_SYSVARS = ['recentBlockhashesSysvar', 'rentSysvar'];

/** In the order of their numbers. */
const LAYOUTS: Layout[] = [
  {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    fields: fields(['lamports', u64], ['space', u64], ['owner', key]),
  },
  { type: 'assign', accounts: ['account'], fields: fields(['owner', key]) },
  { type: 'transfer', accounts: ['source', 'destination'], fields: fields(['lamports', u64]) },
  {
    type: 'createAccountWithSeed',
    accounts: ['source', 'newAccount'],
    fields: fields(['base', key], ['seed', text], ['lamports', u64], ['space', u64], ['owner', key]),
  },
  { type: 'advanceNonce', accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'] },
  {
    type: 'withdrawFromNonce',
    accounts: ['nonceAccount', 'destination', ...NONCE_SYSVARS, 'nonceAuthority'],
    fields: fields(['lamports', u64]),
  },
  {
    type: 'initializeNonce',
    accounts: ['nonceAccount', ...NONCE_SYSVARS],
    fields: fields(['nonceAuthority', key]),
  },
  {
    type: 'authorizeNonce',
    accounts: ['nonceAccount', 'nonceAuthority'],
    fields: fields(['newAuthorized', key]),
  },
  { type: 'allocate', accounts: ['account'], fields: fields(['space', u64]) },
  // The base signs, so it must be there, though its address is read from the data.
  {
    type: 'allocateWithSeed',
    accounts: ['account', 'base'],
    fields: fields(['base', key], ['seed', text], ['space', u64], ['owner', key]),
  },
  {
    type: 'assignWithSeed',
    accounts: ['account', 'base'],
    fields: fields(['base', key], ['seed', text], ['owner', key]),
  },
  {
    type: 'transferWithSeed',
    accounts: ['source', 'sourceBase', 'destination'],
    fields: fields(['lamports', u64], ['sourceSeed', text], ['sourceOwner', key]),
  },
  { type: 'upgradeNonce', accounts: ['nonceAccount'] },
];

const CREATE_ALLOWING_PREFUND = 13;

/** A funder that adds nothing need not be listed. */
function prefundLayout(reader: InstructionReader): Layout {
  const lamports = reader.u64();
  return {
    type: 'createAccountAllowPrefund',
    accounts: lamports === 0n ? ['newAccount'] : ['newAccount', 'source'],
    fields: (rest) => ({
      ...(lamports !== 0n && { lamports }),
      space: rest.u64(),
      owner: rest.address(),
    }),
  };
}
