export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PngHeader {
  width: number;
  height: number;
  /** Bits of a sample. */
  depth: number;
  colorType: number;
  isInterlaced: boolean;
  /** Bytes of one row of pixels, and of one more that says how it differs from its neighbours. */
  rowBytes: number;
  /** From a byte to the one of the pixel before. */
  pixelBytes: number;
}

/** Samples of a pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
export const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** As it says of itself, whatever that is. Like the chunks, it throws a `RangeError` where the file ends too early. */
export function readPngHeader(bytes: Buffer): PngHeader {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, colorType] = [bytes.readUInt8(24), bytes.readUInt8(25)];
  const bits = SAMPLES[colorType]! * depth;
  return {
    ...{ width, height, depth, colorType, isInterlaced: bytes.readUInt8(28) !== 0 },
    ...{ rowBytes: 1 + Math.ceil((width * bits) / 8), pixelBytes: Math.max(1, bits / 8) },
  };
}

export interface PngChunk {
  type: string;
  data: Buffer;
  /** Place behind the data, where its checksum is. */
  end: number;
}

/** The chunks of an image, to its end. Data after that is ignored. */
export function* readPngChunks(bytes: Buffer): Generator<PngChunk> {
  for (let at = PNG_SIGNATURE.length; ; ) {
    const begin = at + 8;
    const end = begin + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, begin);
    yield { type, data: bytes.subarray(begin, end), end };
    if (type === 'IEND') return;
    at = end + 4;
  }
}
