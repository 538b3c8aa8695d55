import { Damaged, type ImageFacts } from './image-facts.ts';

const EOI = 0xd9;
const SOS = 0xda;
/** Baseline, extended and progressive: what browsers show. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** Markers of the other frames. C4, C8 and CC are in the same range, but are not frames. */
const OTHER_FRAMES: readonly number[] = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

/** Follows the segments to the end of the image. Data after the end is ignored. */
export function readJpeg(bytes: Buffer): ImageFacts {
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw new Damaged('a marker is missing');
    const marker = bytes.readUInt8(at + 1);
    // Any number of FFs can precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === EOI) break;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) throw new Damaged('a segment has no length');
    if (FRAMES.includes(marker)) size = readFrame(bytes, at);
    if (OTHER_FRAMES.includes(marker)) throw new Damaged('browsers do not show this kind');
    at += 2 + length;
    if (marker !== SOS) continue;
    hasScan = true;
    at = endOfScan(bytes, at);
  }
  if (!size || !hasScan) throw new Damaged('it has no pixels');
  return { ...size, isAnimated: false };
}

function readFrame(bytes: Buffer, at: number): { width: number; height: number } {
  if (bytes.readUInt8(at + 4) !== 8) throw new Damaged('it does not have 8 bits a colour');
  return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
}

/** The next marker that belongs to no scan: there an FF is followed by 00, or by a restart mark. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) throw new Damaged('it is cut off');
    const next = bytes.readUInt8(at + 1);
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}
