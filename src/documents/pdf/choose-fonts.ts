import { type FontFile, loadFontFile } from './font-faces.ts';
import { type HanOrder, hanOrderOf, slicesFor } from './font-slices.ts';

/** A piece of text, by UTF-16 offsets, that one font file has all characters of; none has those of a missing piece. */
export interface FontPiece {
  start: number;
  end: number;
  file: FontFile;
  missing: boolean;
}

/** Drawn in the place of a character that no font here has. */
export const MISSING_SIGN = '\u25a1';

const invisible = /^\p{Default_Ignorable_Code_Point}$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Cuts a text where the font must change. A letter and its marks stay in one font wherever one has them all; a space
 * goes with the word before it, unless that is an emoji, whose space is as wide as two letters.
 */
export async function chooseFonts(text: string): Promise<FontPiece[]> {
  const han = hanOrderOf(text);
  const pieces: FontPiece[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const last = pieces.at(-1);
    const follows = segment === ' ' && last && has(last.file, ' ') && !last.missing && !last.file.isEmoji;
    const whole = follows ? last.file : await findFont(segment, han);
    if (whole) addPiece(pieces, index, segment.length, whole, false);
    else await addCharacters(pieces, index, segment, han);
  }
  return pieces;
}

/** The first font that has every visible character of this grapheme. */
async function findFont(grapheme: string, han: HanOrder): Promise<FontFile | undefined> {
  const characters = [...grapheme];
  const visible = characters.filter((character) => !invisible.test(character));
  const first = visible[0] ?? ' ';
  for (const slice of slicesFor(first, han, grapheme)) {
    const file = await loadFontFile(slice);
    if (has(file, first) && visible.every((character) => has(file, character))) return file;
  }
  return undefined;
}

async function addCharacters(pieces: FontPiece[], index: number, grapheme: string, han: HanOrder) {
  let offset = index;
  for (const character of grapheme) {
    const file = await findFont(character, han);
    const box = file ?? (await findFont(MISSING_SIGN, han))!;
    addPiece(pieces, offset, character.length, box, file === undefined);
    offset += character.length;
  }
}

/** A missing character gets its own run, because one sign is drawn for it. */
function addPiece(pieces: FontPiece[], start: number, length: number, file: FontFile, missing: boolean) {
  const last = pieces.at(-1);
  if (last && last.file === file && !last.missing && !missing) last.end = start + length;
  else pieces.push({ start, end: start + length, file, missing });
}

function has(file: FontFile, character: string): boolean {
  return file.characters.has(character.codePointAt(0)!);
}
