import { WireError } from '../ledger/wire-reader.ts';
import {
  InstructionReader,
  type Layout,
  type NamedCall,
  type ParsedCall,
  readCall,
} from './instruction-layout.ts';

const TABLE = ['lookupTableAccount', 'lookupTableAuthority'];
const PAYER = ['payerAccount', 'systemProgram'];
const EXTEND = 2;

const LAYOUTS: Layout[] = [
  {
    type: 'createLookupTable',
    accounts: [...TABLE, ...PAYER],
    fields: (reader) => ({ recentSlot: reader.u64(), bumpSeed: reader.u8() }),
  },
  { type: 'freezeLookupTable', accounts: TABLE },
  {
    type: 'extendLookupTable',
    accounts: TABLE,
    fields: (reader) => ({ newAddresses: reader.list(Number(reader.u64()), () => reader.address()) }),
  },
  { type: 'deactivateLookupTable', accounts: TABLE },
  { type: 'closeLookupTable', accounts: [...TABLE, 'recipient'] },
];

export function parseLookupTableCall(call: NamedCall): ParsedCall {
  const reader = new InstructionReader(call.data);
  const tag = reader.u32();
  const layout = LAYOUTS[tag];
  if (!layout) throw new WireError('unknown instruction');
  // The payer of the room for new addresses is listed only where there is one.
  const hasPayer = tag === EXTEND && call.accounts.length >= TABLE.length + PAYER.length;
  return readCall(hasPayer ? { ...layout, accounts: [...TABLE, ...PAYER] } : layout, call, reader);
}
