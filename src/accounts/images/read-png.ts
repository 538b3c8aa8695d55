import { crc32, inflateSync } from 'node:zlib';
import { Damaged, type ImageFacts } from './image-facts.ts';

/** Bit depths that each colour type may have. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** How many samples a pixel of each colour type has. */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Follows the chunks to the end of the image, each with its checksum. Data after the end is ignored. */
export function readPng(bytes: Buffer): ImageFacts {
  const { width, height } = readHeader(bytes);
  const seen = new Set<string>();
  const pixels: Buffer[] = [];
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end)))
      throw new Damaged('a checksum is wrong');
    seen.add(type);
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, end));
    if (type === 'IEND') break;
    at = end + 4;
  }
  if (!seen.has('IDAT')) throw new Damaged('it has no pixels');
  requirePixels(bytes, Buffer.concat(pixels));
  return { width, height, isAnimated: seen.has('acTL') };
}

function readHeader(bytes: Buffer): { width: number; height: number } {
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw new Damaged('it has no header');
  const isKnown = DEPTHS[bytes.readUInt8(25)]?.includes(bytes.readUInt8(24)) ?? false;
  if (!isKnown || bytes.readUInt8(26) !== 0 || bytes.readUInt8(27) !== 0 || bytes.readUInt8(28) > 1)
    throw new Damaged('its header makes no sense');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** More pixels are refused for their number, so nothing larger is unpacked. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * Refuses images that browsers would show as an empty box: data that cannot be unpacked, or has fewer rows than the
 * header promises.
 */
function requirePixels(bytes: Buffer, packed: Buffer): void {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const bitsPerPixel = bytes.readUInt8(24) * SAMPLES[bytes.readUInt8(25)]!;
  const needed = height * (1 + Math.ceil((width * bitsPerPixel) / 8));
  if (needed > MAX_UNPACKED_BYTES) return;
  const isInterlaced = bytes.readUInt8(28) === 1;
  // Interlaced, the rows of seven smaller images: up to twice as many, and each a byte longer at most.
  const most = isInterlaced ? needed + 2 * (width + height) * 8 : needed;
  if (unpackedLength(packed, most) < needed) throw new Damaged('its pixels cannot be read');
}

function unpackedLength(packed: Buffer, maxOutputLength: number): number {
  try {
    return inflateSync(packed, { maxOutputLength }).length;
  } catch {
    throw new Damaged('its pixels cannot be read');
  }
}
