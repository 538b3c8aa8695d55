import { crc32, deflateSync } from 'node:zlib';

interface PngOptions {
  width?: number;
  height?: number;
  depth?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colorType?: number;
  interlace?: number;
  /** Samples of every pixel, as many as the colour type has. */
  pixel?: readonly number[];
  /** Filter of the rows, by which they differ from their neighbours: 0 to 4. */
  filter?: number;
  /** Other chunks, before the pixels. */
  chunks?: readonly [type: string, data: Buffer][];
}

/** A whole PNG of one colour. */
export function png(options: PngOptions = {}): Buffer<ArrayBuffer> {
  const {
    width = 24,
    height = 16,
    depth = 8,
    colorType = 2,
    interlace = 0,
    filter = 0,
    chunks = [],
  } = options;
  const { pixel = [255, 0, 0] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlace], 8);
  const row = packedRow(width, depth, pixel);
  const first = filtered(row, Buffer.alloc(row.length), filter, Math.max(1, (pixel.length * depth) / 8));
  const next = filtered(row, row, filter, Math.max(1, (pixel.length * depth) / 8));
  const rows = Array.from({ length: height }, (_, y) => Buffer.from([filter, ...(y === 0 ? first : next)]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function packedRow(width: number, depth: number, pixel: readonly number[]): Buffer {
  const bits = Array.from({ length: width }, () => pixel)
    .flat()
    .map((sample) => sample.toString(2).padStart(depth, '0'))
    .join('');
  return Buffer.from(bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function filtered(row: Buffer, above: Buffer, filter: number, pixelBytes: number): Buffer {
  return Buffer.from(
    row.map((value, at) => {
      const left = row[at - pixelBytes] ?? 0;
      const up = above[at]!;
      const corner = at >= pixelBytes ? above[at - pixelBytes]! : 0;
      const estimate = left + up - corner;
      const nearest = [left, up, corner].toSorted(
        (a, b) => Math.abs(estimate - a) - Math.abs(estimate - b),
      )[0]!;
      return value - [0, left, up, (left + up) >> 1, nearest][filter]!;
    }),
  );
}

/** A whole JPEG, all of it the same grey: each block is two bits that say that nothing changes. */
export function jpeg({ width = 24, height = 16, marker = 0xc0, components = 1 } = {}): Buffer<ArrayBuffer> {
  const segment = (kind: number, ...data: number[]) => {
    return [0xff, kind, (data.length + 2) >> 8, (data.length + 2) & 255, ...data];
  };
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const each = (data: (id: number) => number[]) =>
    Array.from({ length: components }, (_, at) => data(at + 1)).flat();
  const onlyZero = [1, ...Array<number>(15).fill(0), 0];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components;
  const scan = Array<number>(Math.ceil(blocks / 4)).fill(0);
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(marker, 8, ...size, components, ...each((id) => [id, 0x11, 0])),
    ...segment(0xc4, 0x00, ...onlyZero, 0x10, ...onlyZero),
    ...segment(0xda, components, ...each((id) => [id, 0]), 0, 63, 0),
    ...scan,
    ...[0xff, 0xd9],
  ]);
}

/** A whole WebP of one colour, without loss: where there is one symbol only, its pixels take no room. */
export function webp({ width = 24, height = 16, extended = false, flags = 0 } = {}): Buffer<ArrayBuffer> {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let at = 0; at < count; at++) bits.push((value >> at) & 1);
  };
  put(width - 1, 14);
  put(height - 1, 14);
  // No alpha, version 0, no transform, no cache, one set of codes.
  put(0, 1 + 3 + 1 + 1 + 1);
  for (const symbol of [0, 255, 0, 255, 0]) {
    put(1, 1);
    put(0, 1);
    put(1, 1);
    put(symbol, 8);
  }
  const bytes = [0x2f];
  for (let at = 0; at < bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((sum, bit, place) => sum | (bit << place), 0));
  const canvas = Buffer.alloc(10);
  canvas[0] = flags;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  return riff([...(extended ? [part('VP8X', canvas)] : []), part('VP8L', Buffer.from(bytes))]);
}

export function part(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

export function riff(parts: readonly Buffer[]): Buffer<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, body]);
}
