import { extensionName } from '../ledger/token-extensions.ts';
import { WireError } from '../ledger/wire-reader.ts';
import { type Info, InstructionReader } from './instruction-layout.ts';

/** The extensions of a Token-2022 mint or account. Those with more than a few fields are named and not read. */
export function parseExtensions(bytes: Uint8Array): Info[] {
  const reader = new InstructionReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const found: Info[] = [];
  try {
    while (reader.left > 0) {
      const name = extensionName(reader.u16());
      if (name === 'uninitialized') break;
      found.push(extension(name, new InstructionReader(reader.bytes(reader.u16()))));
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  return found;
}

function extension(name: string, reader: InstructionReader): Info {
  if (MARKS.includes(name)) return { extension: name };
  const read = STATES[name];
  return read ? { extension: name, state: read(reader) } : { extension: 'unparseableExtension' };
}

/** To have one of these is all there is to it. */
const MARKS = ['immutableOwner', 'nonTransferable', 'nonTransferableAccount', 'pausableAccount'];

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'];
const NO_ADDRESS = '11111111111111111111111111111111';

/** No address is written as zeros. */
function addressOrNull(reader: InstructionReader): string | null {
  const address = reader.address();
  return address === NO_ADDRESS ? null : address;
}

const STATES: Record<string, (reader: InstructionReader) => Info> = {
  transferFeeAmount: (reader) => ({ withheldAmount: reader.u64() }),
  mintCloseAuthority: (reader) => ({ closeAuthority: addressOrNull(reader) }),
  defaultAccountState: (reader) => ({ accountState: ACCOUNT_STATES[reader.u8()] }),
  memoTransfer: (reader) => ({ requireIncomingTransferMemos: reader.u8() === 1 }),
  cpiGuard: (reader) => ({ lockCpi: reader.u8() === 1 }),
  permanentDelegate: (reader) => ({ delegate: addressOrNull(reader) }),
};
