import { readFile } from 'node:fs/promises';
import type { Font } from 'harfbuzzjs';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { EMOJI_FAMILY, type FontSlice, TEXT_FAMILY } from './font-slices.ts';
import { loadSubsetter, type Subsetter } from './font-subsetter.ts';
import { readWoff2 } from './woff2.ts';

export type Weight = 400 | 600;

/** A font slice as read from disk, its weight still open. */
export interface FontFile {
  id: string;
  isTextFamily: boolean;
  isEmoji: boolean;
  bytes: Buffer;
  characters: ReadonlySet<number>;
  unitsPerEm: number;
  ascender: number;
  descender: number;
  box: readonly number[];
  faces: Record<Weight, FontFace>;
}

/** A font slice at one weight: what a run of text is shaped with, and what is embedded. */
export interface FontFace {
  file: FontFile;
  weight: Weight;
  font: Font;
}

export interface Engines {
  harfbuzz: typeof import('harfbuzzjs');
  subsetter: Subsetter;
}

let engines: Promise<Engines> | undefined;

/** Both engines start with the first invoice: a process that never prints one pays nothing. */
export function loadEngines(): Promise<Engines> {
  engines ??= startEngines().catch((error: unknown) => {
    engines = undefined;
    throw error;
  });
  return engines;
}

async function startEngines(): Promise<Engines> {
  const [harfbuzz, subsetter] = await Promise.all([import('harfbuzzjs'), loadSubsetter()]);
  return { harfbuzz, subsetter };
}

/** A file is 30 to 400 kB, twice (here and in HarfBuzz); all scripts together have 600, so the least used leave. */
const MAX_FILES = 256;
const files = new BoundedMap<string, Promise<FontFile>>(MAX_FILES);

/** A slice's font, read from disk the first time; a disk that failed is asked again. */
export async function loadFontFile(slice: FontSlice): Promise<FontFile> {
  const file = files.get(slice.id) ?? readFontFile(slice);
  files.renew(slice.id, file);
  try {
    return await file;
  } catch (error) {
    files.delete(slice.id);
    throw error;
  }
}

async function readFontFile(slice: FontSlice): Promise<FontFile> {
  const { harfbuzz } = await loadEngines();
  const bytes = await readWoff2(await readFile(slice.file));
  const face = new harfbuzz.Face(new harfbuzz.Blob(bytes));
  const head = Buffer.from(face.referenceTable('head')!);
  const hhea = Buffer.from(face.referenceTable('hhea')!);
  const file: Omit<FontFile, 'faces'> = {
    id: slice.id,
    isTextFamily: slice.id.startsWith(`${TEXT_FAMILY}-`),
    isEmoji: slice.id.startsWith(`${EMOJI_FAMILY}-`),
    bytes,
    characters: new Set(face.collectUnicodes()),
    unitsPerEm: head.readUInt16BE(18),
    ascender: hhea.readInt16BE(4),
    descender: hhea.readInt16BE(6),
    box: [36, 38, 40, 42].map((at) => head.readInt16BE(at)),
  };
  const atWeight = (weight: Weight) => {
    const font = new harfbuzz.Font(face);
    font.setVariations([new harfbuzz.Variation('wght', weight)]);
    return font;
  };
  const whole = file as FontFile;
  whole.faces = {
    400: { file: whole, weight: 400, font: atWeight(400) },
    600: { file: whole, weight: 600, font: atWeight(600) },
  };
  return whole;
}
