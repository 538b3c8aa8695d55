import { WireError } from '../ledger/wire-reader.ts';
import {
  InstructionReader,
  type Layout,
  type NamedCall,
  type ParsedCall,
  readCall,
} from './instruction-layout.ts';

const CREATED = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];

const LAYOUTS: Layout[] = [
  { type: 'create', accounts: CREATED },
  { type: 'createIdempotent', accounts: CREATED },
  {
    type: 'recoverNested',
    accounts: [
      'nestedSource',
      'nestedMint',
      'destination',
      'nestedOwner',
      'ownerMint',
      'wallet',
      'tokenProgram',
    ],
  },
];

/** The oldest form of `create` has no data at all; no form has more than one byte. */
export function parseAssociatedToken(call: NamedCall): ParsedCall {
  const layout = LAYOUTS[call.data[0] ?? 0];
  if (!layout || call.data.length > 1) throw new WireError('unknown instruction');
  return readCall(layout, call, new InstructionReader(call.data));
}
