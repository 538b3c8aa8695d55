import { lazy } from '../../platform/lib/lazy.ts';

const ASCII = /^[\x20-\x7e]*$/;
/** Marks and signs that are drawn on others, and the later parts of a Korean syllable. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const TWO_WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]$/u;
/** A flag, a family, a heart in colour, a keycap: several code points, one picture. */
const PICTURE = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

/**
 * Splits a text into characters as readers see them. Created when a text needs it: that takes a sixth as long as a
 * short command.
 */
const segmenter = lazy(() => new Intl.Segmenter());

const charactersOf = (text: string) =>
  ASCII.test(text) ? [...text] : Array.from(segmenter().segment(text), ({ segment }) => segment);

function widthOf(character: string): number {
  if (PICTURE.test(character)) return 2;
  let width = 0;
  for (const point of character) width += NO_WIDTH.test(point) ? 0 : TWO_WIDE.test(point) ? 2 : 1;
  return width;
}

/** Returns the number of columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return charactersOf(text).reduce((width, character) => width + widthOf(character), 0);
}

export function padText(text: string, width: number, isRight = false): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isRight ? space + text : text + space;
}

/** Cut to `width` columns, and seen to be. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const character of charactersOf(text)) {
    used += widthOf(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Text of others, which must not move the cursor or recolour a terminal. */
export function plainText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
