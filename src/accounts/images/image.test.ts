import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chunk, jpeg, part, png, riff, webp } from '../../../test/support/images.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { readImage } from './image.ts';

const WIDE = { width: 2048, height: 16 };

test.each([
  ['PNG', png(), { extension: 'png', width: 24, height: 16 }],
  ['PNG of the most', png({ ...WIDE, height: 2048 }), { extension: 'png', width: 2048, height: 2048 }],
  ['JPEG', jpeg(), { extension: 'jpg', width: 24, height: 16 }],
  ['progressive JPEG', jpeg({ ...WIDE, marker: 0xc2 }), { extension: 'jpg', ...WIDE }],
  ['WebP', webp(), { extension: 'webp', width: 24, height: 16 }],
  ['extended WebP', webp({ ...WIDE, extended: true }), { extension: 'webp', ...WIDE }],
  ['lossy WebP', riff([part('VP8 ', lossy(640, 480))]), { extension: 'webp', width: 640, height: 480 }],
])('a %s is what its bytes say', (_kind, bytes, facts) => {
  expect(readImage(bytes)).toEqual(facts);
  // Bytes after the end of an image are ignored.
  expect(readImage(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]))).toEqual(facts);
});

/** The header and the end of a whole PNG, and these pixels. */
function pngOf(packed: Buffer): Buffer {
  return Buffer.concat([png().subarray(0, 33), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

function lossy(width: number, height: number): Buffer {
  return Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, width & 255, width >> 8, height & 255, height >> 8]);
}

test.each([
  ['nothing', Buffer.alloc(1)],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['GIF', Buffer.from('GIF89a\x10\x00\x10\x00', 'latin1')],
  ['HTML with an image in it', Buffer.concat([Buffer.from('<html>'), png()])],
  ['another RIFF file', Buffer.from('RIFF\x04\x00\x00\x00WAVE', 'latin1')],
])('%s is none of the three', (_kind, bytes) => {
  expect(() => readImage(bytes)).toThrow('body must be a PNG, JPEG or WebP image');
});

test.each([
  [png({ width: 15 }), 'body must have a width of 16 to 2048 pixels, not 15'],
  [png({ height: 2049 }), 'body must have a height of 16 to 2048 pixels, not 2049'],
  [jpeg({ width: 4000 }), 'body must have a width of 16 to 2048 pixels, not 4000'],
  [webp({ height: 8 }), 'body must have a height of 16 to 2048 pixels, not 8'],
  [png({ chunks: [['acTL', Buffer.alloc(8)]] }), 'body must not be animated'],
  [webp({ extended: true, flags: 2 }), 'body must not be animated'],
])('a 400 says what is wrong with it: %#', (bytes, message) => {
  expect(() => readImage(bytes)).toThrow(message);
});

test.each([
  ['PNG', png()],
  ['JPEG', jpeg()],
  ['WebP', webp({ extended: true })],
])('a %s that is cut off anywhere is refused, never a crash', (_kind, bytes) => {
  for (let length = 0; length < bytes.length; length++) {
    const cut = () => readImage(bytes.subarray(0, length));
    expect(cut, `${length} of ${bytes.length} bytes`).toThrow(AppError);
  }
});

test.each([
  [
    'pixels that cannot be unpacked',
    pngOf(Buffer.from('garbage garbage')),
    'PNG image: its pixels cannot be read',
  ],
  ['too few pixels', pngOf(deflateSync(Buffer.alloc(100))), 'PNG image: its pixels cannot be read'],
  ['far too many pixels', pngOf(deflateSync(Buffer.alloc(1e6))), 'PNG image: its pixels cannot be read'],
  ['a wrong checksum', flipped(png(), 20), 'PNG image: a checksum is wrong'],
  ['no pixels', png().subarray(0, 33), 'PNG image: it is cut off'],
  ['no pixels but an end', withoutPixels(), 'PNG image: it has no pixels'],
  ['an unknown colour type', png({ colorType: 5 }), 'PNG image: its header makes no sense'],
  ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'JPEG image: it has no pixels'],
  ['a lossless JPEG', jpeg({ marker: 0xc3 }), 'JPEG image: browsers do not show this kind'],
  ['a WebP without pixels', riff([part('EXIF', Buffer.alloc(4))]), 'WebP image: it has no pixels'],
])('%s: not a whole image', (_kind, bytes, message) => {
  expect(() => readImage(bytes)).toThrow(`body is not a complete ${message}`);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}

function withoutPixels(): Buffer {
  return Buffer.concat([png().subarray(0, 33), chunk('IEND', Buffer.alloc(0))]);
}
