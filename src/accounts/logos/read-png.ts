import { crc32 } from 'node:zlib';
import { Damaged, type ImageFacts } from './image-facts.ts';

/** Which bit depths each colour type may have. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Follows the chunks to the end of the image, each with its checksum. Data after the end is ignored. */
export function readPng(bytes: Buffer): ImageFacts {
  const { width, height } = readHeader(bytes);
  const seen = new Set<string>();
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end)))
      throw new Damaged('a checksum is wrong');
    seen.add(type);
    if (type === 'IEND') break;
    at = end + 4;
  }
  if (!seen.has('IDAT')) throw new Damaged('it has no pixels');
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
