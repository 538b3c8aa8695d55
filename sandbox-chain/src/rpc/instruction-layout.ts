import { addressText } from '../ledger/addresses.ts';
import { WireError, WireReader } from '../ledger/wire-reader.ts';

/** A call of a program, its accounts by address. */
export interface NamedCall {
  accounts: readonly string[];
  data: Buffer;
}

export type Info = Record<string, unknown>;

export interface ParsedCall {
  type: string;
  info: Info;
}

/** How one kind of call is laid out, and what nodes call its parts. */
export interface Layout {
  type: string;
  /** The names of its first accounts, in order. */
  accounts: readonly string[];
  /** The fields that its data holds after the tag. */
  fields?(reader: InstructionReader): Info;
}

/** Throws where an account is missing; accounts beyond the named ones are not told. */
export function readCall(layout: Layout, { accounts }: NamedCall, reader: InstructionReader): ParsedCall {
  if (accounts.length < layout.accounts.length) throw new WireError('too few accounts');
  const named = layout.accounts.map((name, index) => [name, accounts[index]]);
  return { type: layout.type, info: { ...Object.fromEntries(named), ...layout.fields?.(reader) } };
}

/** Reads the data of a call. Nodes do not mind bytes that are left over. */
export class InstructionReader extends WireReader {
  address(): string {
    return addressText(this.bytes(32));
  }

  /** One byte says whether an address follows. */
  optionalAddress(): string | undefined {
    const tag = this.u8();
    if (tag > 1) throw new WireError('neither an address nor none');
    return tag === 1 ? this.address() : undefined;
  }

  /** 64 bits of length, then UTF-8. */
  text(): string {
    const length = this.u64();
    if (length > BigInt(this.left)) throw new WireError('a text longer than the data');
    return utf8(this.bytes(Number(length)));
  }

  rest(): Buffer {
    return this.bytes(this.left);
  }
}

export function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WireError('a text that is not UTF-8');
  }
}
