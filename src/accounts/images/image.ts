import { badField } from '../../platform/lib/errors.ts';
import { PNG_SIGNATURE } from '../../platform/lib/read-png.ts';
import { checkPng } from './check-png.ts';
import { Damaged, type ImageFacts } from './image-facts.ts';
import { readJpeg } from './read-jpeg.ts';
import { readWebp } from './read-webp.ts';

export const MAX_IMAGE_BYTES = 256 * 1024;
export const MIN_SIDE = 16;
export const MAX_SIDE = 2048;

/** No SVG: it can carry scripts. */
export const MEDIA_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;

export type Extension = keyof typeof MEDIA_TYPES;

/** Content types of uploads. The bytes say which image it is: a file's name, and so its type, is often wrong. */
export const UPLOAD_TYPES = [...Object.values(MEDIA_TYPES), 'application/octet-stream'] as const;

export interface Image {
  extension: Extension;
  width: number;
  height: number;
}

const READERS: readonly [Extension, (bytes: Buffer) => boolean, (bytes: Buffer) => ImageFacts][] = [
  ['png', (bytes) => bytes.subarray(0, 8).equals(PNG_SIGNATURE), checkPng],
  ['jpg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, readJpeg],
  ['webp', (bytes) => text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP', readWebp],
];

const text = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4);

/**
 * Detects the image type from the bytes, whatever their name. Anything that is not a usable logo is a 400 with the
 * reason.
 */
export function readImage(bytes: Buffer): Image {
  const found = READERS.find(([, isSuch]) => isSuch(bytes));
  if (!found) throw badField('body', 'must be a PNG, JPEG or WebP image');
  const [extension, , read] = found;
  const { width, height, isAnimated } = whole(extension, () => read(bytes));
  for (const [side, pixels] of Object.entries({ width, height })) {
    if (pixels < MIN_SIDE || pixels > MAX_SIDE)
      throw badField('body', `must have a ${side} of ${MIN_SIDE} to ${MAX_SIDE} pixels, not ${pixels}`);
  }
  if (isAnimated) throw badField('body', 'must not be animated');
  return { extension, width, height };
}

const NAMES: Record<Extension, string> = { png: 'PNG', jpg: 'JPEG', webp: 'WebP' };

/** Reading past the end is the usual way to notice that a file is cut off. */
function whole<Facts>(extension: Extension, read: () => Facts): Facts {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Damaged || error instanceof RangeError)) throw error;
    const why = error instanceof Damaged ? error.message : 'it is cut off';
    throw badField('body', `is not a complete ${NAMES[extension]} image: ${why}`);
  }
}
