import { Damaged, type ImageFacts } from './image-facts.ts';

const ANIMATION_FLAG = 0x02;

/** Reads the chunks of the container. Data after it is ignored. */
export function readWebp(bytes: Buffer): ImageFacts {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw new Damaged('it is cut off');
  let canvas: ImageFacts | undefined;
  let pixels: ImageFacts | undefined;
  for (let at = 12; at < end; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) throw new Damaged('it is cut off');
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X') canvas = readCanvas(chunk);
    if (type === 'VP8 ') pixels ??= readLossy(chunk);
    if (type === 'VP8L') pixels ??= readLossless(chunk);
    // Chunks start at even offsets.
    at += 8 + length + (length % 2);
  }
  if (canvas?.isAnimated) return canvas;
  if (!pixels) throw new Damaged('it has no pixels');
  if (canvas && (canvas.width !== pixels.width || canvas.height !== pixels.height))
    throw new Damaged('its sizes contradict each other');
  return pixels;
}

function readCanvas(chunk: Buffer): ImageFacts {
  return {
    width: 1 + chunk.readUIntLE(4, 3),
    height: 1 + chunk.readUIntLE(7, 3),
    isAnimated: (chunk.readUInt8(0) & ANIMATION_FLAG) !== 0,
  };
}

function readLossy(chunk: Buffer): ImageFacts {
  if (chunk.readUIntBE(3, 3) !== 0x9d012a) throw new Damaged('its first frame has no start code');
  return { width: chunk.readUInt16LE(6) & 0x3fff, height: chunk.readUInt16LE(8) & 0x3fff, isAnimated: false };
}

function readLossless(chunk: Buffer): ImageFacts {
  if (chunk.readUInt8(0) !== 0x2f) throw new Damaged('its pixels have no signature');
  const bits = chunk.readUInt32LE(1);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), isAnimated: false };
}
