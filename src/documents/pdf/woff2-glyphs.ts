import { ByteReader } from './byte-reader.ts';

/** The glyf and loca tables as TrueType has them, and each glyph's left edge. */
export interface GlyphTables {
  glyf: Buffer;
  loca: Buffer;
  xMins: number[];
}

interface Streams {
  contours: ByteReader;
  points: ByteReader;
  flags: ByteReader;
  glyphs: ByteReader;
  composites: ByteReader;
  boxes: ByteReader;
  instructions: ByteReader;
}

interface Point {
  dx: number;
  dy: number;
  onCurve: boolean;
}

/** Undoes WOFF2's rearranging of outlines into streams of like things. */
export function restoreGlyphs(packed: Buffer): GlyphTables {
  const reader = new ByteReader(packed, 2);
  const hasOverlapBits = (reader.u16() & 1) !== 0;
  const glyphCount = reader.u16();
  reader.u16();
  const lengths = Array.from({ length: 7 }, () => reader.u32());
  const [contours, points, flags, glyphs, composites, boxes, instructions] = lengths.map(
    (length) => new ByteReader(reader.take(length)),
  );
  const overlaps = hasOverlapBits ? reader.take((glyphCount + 7) >> 3) : undefined;
  const streams = { contours, points, flags, glyphs, composites, boxes, instructions } as Streams;
  const boxBits = streams.boxes.take(((glyphCount + 31) >> 5) * 4);

  const loca = Buffer.alloc((glyphCount + 1) * 4);
  const parts: Buffer[] = [];
  const xMins: number[] = [];
  let offset = 0;
  for (let glyph = 0; glyph < glyphCount; glyph++) {
    const part = restoreGlyph(streams, bit(boxBits, glyph), overlaps !== undefined && bit(overlaps, glyph));
    xMins.push(part.length > 0 ? part.readInt16BE(2) : 0);
    const padding = Buffer.alloc(-part.length & 3);
    parts.push(part, padding);
    offset += part.length + padding.length;
    loca.writeUInt32BE(offset, (glyph + 1) * 4);
  }
  return { glyf: Buffer.concat(parts), loca, xMins };
}

function bit(bits: Buffer, index: number): boolean {
  return (bits[index >> 3]! & (0x80 >> (index & 7))) !== 0;
}

function restoreGlyph(streams: Streams, hasBox: boolean, overlaps: boolean): Buffer {
  const contourCount = streams.contours.i16();
  if (contourCount === 0) return Buffer.alloc(0);
  if (contourCount < 0) return restoreComposite(streams);
  const ends: number[] = [];
  let pointCount = 0;
  for (let contour = 0; contour < contourCount; contour++) {
    pointCount += streams.points.short255();
    ends.push(pointCount - 1);
  }
  const points = Array.from({ length: pointCount }, () => restorePoint(streams.flags.u8(), streams.glyphs));
  const instructions = streams.instructions.take(streams.glyphs.short255());
  const header = Buffer.alloc(10 + contourCount * 2 + 2);
  header.writeInt16BE(contourCount, 0);
  if (hasBox) streams.boxes.take(8).copy(header, 2);
  else writeBox(header, points);
  ends.forEach((end, contour) => {
    header.writeUInt16BE(end, 10 + contour * 2);
  });
  header.writeUInt16BE(instructions.length, 10 + contourCount * 2);
  return Buffer.concat([header, instructions, ...writePoints(points, overlaps)]);
}

/** A composite glyph is kept as it was; only its box and its instructions are stored elsewhere. */
function restoreComposite({ composites, boxes, glyphs, instructions }: Streams): Buffer {
  const start = composites.offset;
  let hasInstructions = false;
  for (let more = true; more; ) {
    const flags = composites.u16();
    composites.u16();
    composites.take(flags & 0x01 ? 4 : 2);
    composites.take(flags & 0x08 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
    if (flags & 0x100) hasInstructions = true;
    more = (flags & 0x20) !== 0;
  }
  const components = composites.bytes.subarray(start, composites.offset);
  const parts = [Buffer.from([0xff, 0xff]), boxes.take(8), components];
  if (hasInstructions) {
    const length = glyphs.short255();
    parts.push(Buffer.from([length >> 8, length & 255]), instructions.take(length));
  }
  return Buffer.concat(parts);
}

/** The triplet encoding of one step: the flag says how many bytes follow and how their bits divide. */
function restorePoint(flag: number, from: ByteReader): Point {
  const onCurve = flag < 0x80;
  const code = flag & 0x7f;
  const x = (value: number) => (code & 1 ? value : -value);
  const y = (value: number) => (code & 2 ? value : -value);
  if (code < 10) return { dx: 0, dy: x(((code & 14) << 7) + from.u8()), onCurve };
  if (code < 20) return { dx: x((((code - 10) & 14) << 7) + from.u8()), dy: 0, onCurve };
  if (code < 84) {
    const byte = from.u8();
    const high = code - 20;
    return { dx: x(1 + (high & 0x30) + (byte >> 4)), dy: y(1 + ((high & 0x0c) << 2) + (byte & 15)), onCurve };
  }
  if (code < 120) {
    const high = code - 84;
    const dx = x(1 + (Math.trunc(high / 12) << 8) + from.u8());
    return { dx, dy: y(1 + (((high % 12) >> 2) << 8) + from.u8()), onCurve };
  }
  if (code < 124) {
    const [first, middle, last] = from.take(3) as unknown as [number, number, number];
    return { dx: x((first << 4) + (middle >> 4)), dy: y(((middle & 15) << 8) + last), onCurve };
  }
  return { dx: x(from.u16()), dy: y(from.u16()), onCurve };
}

function writeBox(header: Buffer, points: readonly Point[]): void {
  let [x, y] = [0, 0];
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of points) {
    x += point.dx;
    y += point.dy;
    left = Math.min(left, x);
    bottom = Math.min(bottom, y);
    right = Math.max(right, x);
    top = Math.max(top, y);
  }
  if (points.length === 0) return;
  [left, bottom, right, top].forEach((edge, index) => {
    header.writeInt16BE(edge, 2 + index * 2);
  });
}

function writePoints(points: readonly Point[], overlaps: boolean): Buffer[] {
  const flags: number[] = [];
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [index, point] of points.entries()) {
    let flag = (point.onCurve ? 1 : 0) | (overlaps && index === 0 ? 0x40 : 0);
    flag |= writeStep(point.dx, xs, 0x02, 0x10);
    flag |= writeStep(point.dy, ys, 0x04, 0x20);
    flags.push(flag);
  }
  return [Buffer.from(flags), Buffer.from(xs), Buffer.from(ys)];
}

/** One coordinate: nothing when unchanged, one byte and a sign when near, two bytes otherwise. */
function writeStep(step: number, out: number[], short: number, same: number): number {
  if (step === 0) return same;
  if (Math.abs(step) < 256) {
    out.push(Math.abs(step));
    return step > 0 ? short | same : short;
  }
  out.push((step >> 8) & 255, step & 255);
  return 0;
}
