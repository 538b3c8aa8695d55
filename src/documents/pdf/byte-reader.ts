/** Reads the big-endian numbers of font files, one after the other. */
export class ByteReader {
  offset: number;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  u8(): number {
    return this.bytes.readUInt8(this.offset++);
  }

  u16(): number {
    this.offset += 2;
    return this.bytes.readUInt16BE(this.offset - 2);
  }

  i16(): number {
    this.offset += 2;
    return this.bytes.readInt16BE(this.offset - 2);
  }

  u32(): number {
    this.offset += 4;
    return this.bytes.readUInt32BE(this.offset - 4);
  }

  take(length: number): Buffer {
    this.offset += length;
    return this.bytes.subarray(this.offset - length, this.offset);
  }

  /** WOFF2's UIntBase128: seven bits a byte, the high bit says that more follow. */
  base128(): number {
    let value = 0;
    for (;;) {
      const byte = this.u8();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  }

  /** WOFF2's 255UInt16: most counts are small and take one byte. */
  short255(): number {
    const code = this.u8();
    if (code === 253) return this.u16();
    if (code === 254) return 506 + this.u8();
    if (code === 255) return 253 + this.u8();
    return code;
  }
}
