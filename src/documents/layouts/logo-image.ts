import { decodePng, type Pixels } from '../pdf/decode-png.ts';
import type { PdfWriter } from '../pdf/pdf-writer.ts';
import type { LogoFile } from './invoice-document.ts';

/** The room for it on the page, in points. */
const MAX_WIDTH = 140;
const MAX_HEIGHT = 36;
/** Pixels for each point: as many as paper shows. */
const PIXELS_PER_POINT = 300 / 72;

/** A logo that can be drawn, with the size it has on the page. */
export interface LogoImage {
  width: number;
  height: number;
  /** Adds the image to the file and gives its number. */
  write(writer: PdfWriter): Promise<number>;
}

/**
 * Undefined for what PDF cannot embed: WebP, JPEG in print colours, PNG in rarer forms. Then only the name is
 * printed.
 */
export async function openLogo(logo: LogoFile | null | undefined): Promise<LogoImage | undefined> {
  if (!logo) return undefined;
  const { bytes, width, height, isPng, isJpeg } = logo;
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height);
  const size = { width: width * scale, height: height * scale };
  if (isJpeg) {
    const space = COLOR_SPACES[componentsOf(bytes)];
    return space ? { ...size, write: (writer) => writeJpeg(writer, logo, space) } : undefined;
  }
  const pixels = isPng ? await decodePng(bytes) : undefined;
  if (!pixels) return undefined;
  const printed = shrink(pixels, Math.max(1, Math.floor(1 / (scale * PIXELS_PER_POINT))));
  return { ...size, write: (writer) => writePixels(writer, printed) };
}

/** By number of components. With four, programs do not agree which way round they are. */
const COLOR_SPACES: Record<number, string> = { 1: '/DeviceGray', 3: '/DeviceRGB' };

/** Number of color components in the frame's header; 0 where none is found. */
function componentsOf(bytes: Buffer): number {
  for (let at = 2; at + 10 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return 0;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xc2) return bytes[at + 9]!;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return 0;
}

async function writeJpeg(writer: PdfWriter, logo: LogoFile, space: string): Promise<number> {
  const { bytes, width, height } = logo;
  return writer.writeRaw(bytes, `${imageOf(width, height, space)} /Filter /DCTDecode`);
}

/** Colours and opacity are two images in a PDF; where everything is opaque, one. */
async function writePixels(writer: PdfWriter, { width, height, rgba }: Pixels): Promise<number> {
  const count = width * height;
  const colors = Buffer.alloc(count * 3);
  const opacity = Buffer.alloc(count);
  for (let at = 0; at < count; at++) {
    rgba.copy(colors, at * 3, at * 4, at * 4 + 3);
    opacity[at] = rgba[at * 4 + 3]!;
  }
  const mask = opacity.every((value) => value === 255)
    ? ''
    : ` /SMask ${await writer.writeStream(opacity, imageOf(width, height, '/DeviceGray'))} 0 R`;
  return writer.writeStream(colors, imageOf(width, height, '/DeviceRGB') + mask);
}

function imageOf(width: number, height: number, space: string): string {
  return `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} /BitsPerComponent 8`;
}

/** Squares of `factor` pixels become one, each weighing as much as it is opaque. */
function shrink(pixels: Pixels, factor: number): Pixels {
  if (factor === 1) return pixels;
  const width = Math.ceil(pixels.width / factor);
  const height = Math.ceil(pixels.height / factor);
  const rgba = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      average(pixels, x * factor, y * factor, factor, rgba, (y * width + x) * 4);
  return { width, height, rgba };
}

function average(from: Pixels, left: number, top: number, factor: number, into: Buffer, out: number): void {
  let [red, green, blue, opacity, count] = [0, 0, 0, 0, 0];
  for (let y = top; y < Math.min(top + factor, from.height); y++) {
    for (let x = left; x < Math.min(left + factor, from.width); x++) {
      const at = (y * from.width + x) * 4;
      const weight = from.rgba[at + 3]!;
      red += from.rgba[at]! * weight;
      green += from.rgba[at + 1]! * weight;
      blue += from.rgba[at + 2]! * weight;
      opacity += weight;
      count++;
    }
  }
  if (opacity === 0) return;
  into[out] = Math.round(red / opacity);
  into[out + 1] = Math.round(green / opacity);
  into[out + 2] = Math.round(blue / opacity);
  into[out + 3] = Math.round(opacity / count);
}
