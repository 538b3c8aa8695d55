import { crc32, inflateSync } from 'node:zlib';
import { type PngHeader, readPngChunks, readPngHeader } from '../../platform/lib/read-png.ts';
import { Damaged, type ImageFacts } from './image-facts.ts';

/** Bit depths that each colour type may have. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Follows the chunks to the end of the image, each with its checksum. Data after the end is ignored. */
export function checkPng(bytes: Buffer): ImageFacts {
  const header = checkHeader(bytes);
  const seen = new Set<string>();
  const pixels: Buffer[] = [];
  for (const { type, data, end } of readPngChunks(bytes)) {
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(end - data.length - 4, end)))
      throw new Damaged('a checksum is wrong');
    seen.add(type);
    if (type === 'IDAT') pixels.push(data);
  }
  if (!seen.has('IDAT')) throw new Damaged('it has no pixels');
  requirePixels(header, Buffer.concat(pixels));
  const { width, height } = header;
  return { width, height, isAnimated: seen.has('acTL') };
}

function checkHeader(bytes: Buffer): PngHeader {
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw new Damaged('it has no header');
  const isKnown = DEPTHS[bytes.readUInt8(25)]?.includes(bytes.readUInt8(24)) ?? false;
  if (!isKnown || bytes.readUInt8(26) !== 0 || bytes.readUInt8(27) !== 0 || bytes.readUInt8(28) > 1)
    throw new Damaged('its header makes no sense');
  return readPngHeader(bytes);
}

/** More pixels are refused for their number, so nothing larger is unpacked. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * Refuses images that browsers would show as an empty box: data that cannot be unpacked, or has fewer rows than the
 * header promises.
 */
function requirePixels({ width, height, rowBytes, isInterlaced }: PngHeader, packed: Buffer): void {
  const needed = height * rowBytes;
  if (needed > MAX_UNPACKED_BYTES) return;
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
