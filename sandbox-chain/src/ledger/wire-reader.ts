/** The text is what the sender of such bytes gets to read. */
export class WireError extends Error {}

/** Reads Solana's wire format from front to back; bytes that are missing or left over are an error. */
export class WireReader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** How many bytes are not read yet. */
  get left(): number {
    return this.#bytes.length - this.at;
  }

  bytes(length: number): Buffer {
    const end = this.at + length;
    if (end > this.#bytes.length) throw endsEarly();
    const part = this.#bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }

  peek(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw endsEarly();
    return byte;
  }

  u8(): number {
    const byte = this.peek();
    this.at++;
    return byte;
  }

  u16(): number {
    return this.bytes(2).readUInt16LE();
  }

  u32(): number {
    return this.bytes(4).readUInt32LE();
  }

  u64(): bigint {
    return this.bytes(8).readBigUInt64LE();
  }

  /** Seven bits a byte, at most three bytes, and only the shortest way to write a number is one. */
  compactU16(): number {
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const byte = this.u8();
      if ((byte === 0 && i > 0) || (i === 2 && byte > 3)) break;
      value |= (byte & 0x7f) << (7 * i);
      if ((byte & 0x80) === 0) return value;
    }
    throw new WireError('failed to deserialize transaction: bad length prefix');
  }

  /** Stops at the first item that is missing, so a hostile count costs nothing. */
  list<Item>(count: number, read: () => Item): Item[] {
    const items: Item[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  end(): void {
    if (this.at !== this.#bytes.length)
      throw new WireError('failed to deserialize transaction: bytes left over');
  }
}

function endsEarly(): WireError {
  return new WireError('failed to deserialize transaction: io error: unexpected end of file');
}
