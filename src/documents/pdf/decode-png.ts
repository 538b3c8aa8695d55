import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type PngHeader, readPngChunks, readPngHeader, SAMPLES } from '../../platform/lib/read-png.ts';

const unpack = promisify(inflate);

/** Four bytes a pixel: red, green, blue and how opaque. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Buffer;
}

const PALETTE = 3;
/** Decoding blocks the process: more pixels would block it for seconds. */
const MAX_PIXELS = 1024 * 1024;

/** The pixels of a PNG; undefined for a very large one, one in a rarer form (interlaced, with a single transparent colour) or a broken one. */
export async function decodePng(bytes: Buffer): Promise<Pixels | undefined> {
  try {
    return await decode(bytes);
  } catch {
    // The invoice is printed without it, no matter what is wrong.
    return undefined;
  }
}

async function decode(bytes: Buffer): Promise<Pixels | undefined> {
  const header = readPngHeader(bytes);
  if (header.width * header.height > MAX_PIXELS) return undefined;
  const { PLTE, tRNS, IDAT = [] } = Object.groupBy(readPngChunks(bytes), ({ type }) => type);
  const [palette, transparency] = [PLTE?.at(-1)?.data, tRNS?.at(-1)?.data];
  if (header.isInterlaced || (transparency && header.colorType !== PALETTE)) return undefined;
  const stride = header.rowBytes - 1;
  const wanted = header.rowBytes * header.height;
  const rows = await unpack(Buffer.concat(IDAT.map(({ data }) => data)), { maxOutputLength: wanted });
  if (rows.length !== wanted) return undefined;
  unfilter(rows, stride, header.pixelBytes);
  return toRgba(header, rows, stride, palette, transparency);
}

/** Each row is stored as its difference from its neighbours; its first byte says from which. */
function unfilter(rows: Buffer, stride: number, pixelBytes: number): void {
  for (let start = 0; start < rows.length; start += stride + 1) {
    const filter = rows[start]!;
    const above = start - stride - 1;
    for (let at = 1; at <= stride; at++) {
      const left = at > pixelBytes ? rows[start + at - pixelBytes]! : 0;
      const up = above >= 0 ? rows[above + at]! : 0;
      const corner = above >= 0 && at > pixelBytes ? rows[above + at - pixelBytes]! : 0;
      rows[start + at] = rows[start + at]! + guess(filter, left, up, corner);
    }
  }
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function toRgba(
  { width, height, depth, colorType }: PngHeader,
  rows: Buffer,
  stride: number,
  palette: Buffer | undefined,
  transparency: Buffer | undefined,
): Pixels | undefined {
  if (colorType === PALETTE && !palette) return undefined;
  const samples = SAMPLES[colorType]!;
  const rgba = Buffer.alloc(width * height * 4);
  const scale = depth < 8 && colorType !== PALETTE ? 255 / (2 ** depth - 1) : 1;
  for (let y = 0, out = 0; y < height; y++) {
    const row = y * (stride + 1) + 1;
    for (let x = 0; x < width; x++, out += 4) {
      const at = x * samples;
      const first = sampleAt(rows, row, at, depth) * scale;
      if (colorType === PALETTE) {
        palette!.copy(rgba, out, first * 3, first * 3 + 3);
        rgba[out + 3] = transparency?.[first] ?? 255;
        continue;
      }
      const isGrey = samples < 3;
      rgba[out] = first;
      rgba[out + 1] = isGrey ? first : sampleAt(rows, row, at + 1, depth);
      rgba[out + 2] = isGrey ? first : sampleAt(rows, row, at + 2, depth);
      rgba[out + 3] = samples % 2 === 0 ? sampleAt(rows, row, at + samples - 1, depth) : 255;
    }
  }
  return { width, height, rgba };
}

/** Reads one sample; of sixteen bits, the upper eight. */
function sampleAt(rows: Buffer, row: number, index: number, depth: number): number {
  if (depth === 8) return rows[row + index]!;
  if (depth === 16) return rows[row + index * 2]!;
  const bit = index * depth;
  return (rows[row + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}
