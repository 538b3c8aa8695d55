import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** One file of a font family: the characters it was cut for, as [first, last, first, last, …]. */
export interface FontSlice {
  id: string;
  file: string;
  ranges: readonly number[];
}

/** Latin, Cyrillic and Greek; every digit and amount is set in it. */
export const TEXT_FAMILY = 'inter';
export const EMOJI_FAMILY = 'noto-emoji';

/** No two of these share a script, so their order only decides who gives punctuation. */
const SCRIPT_FAMILIES = [
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-sinhala',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-myanmar',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-armenian',
];
const SYMBOL_FAMILIES = ['noto-sans-symbols', EMOJI_FAMILY];

/** Which hand the Chinese characters of a text are drawn in, where Unicode does not say. */
const HAN_ORDERS = {
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-kr'],
  korean: ['noto-sans-kr', 'noto-sans-jp', 'noto-sans-tc', 'noto-sans-sc'],
  chinese: ['noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'],
};

export type HanOrder = keyof typeof HAN_ORDERS;

/** Kana means Japanese, Hangul means Korean; what has neither is taken for Chinese. */
export function hanOrderOf(text: string): HanOrder {
  if (/[\p{scx=Hiragana}\p{scx=Katakana}]/u.test(text.replace(/[^\p{L}]/gu, ''))) return 'japanese';
  return /\p{sc=Hangul}/u.test(text) ? 'korean' : 'chinese';
}

const emojiLooking = /\p{Emoji_Presentation}|\ufe0f/u;

const known = new Map<string, readonly FontSlice[]>();

/** The slices that were cut for this character, the most fitting first; whether one has it, only the file knows. */
export function slicesFor(character: string, han: HanOrder, grapheme = character): readonly FontSlice[] {
  const emojiFirst = emojiLooking.test(grapheme);
  const key = `${emojiFirst ? 'emoji' : han} ${character}`;
  let slices = known.get(key);
  if (!slices) {
    const code = character.codePointAt(0)!;
    const families = [TEXT_FAMILY, ...SCRIPT_FAMILIES, ...HAN_ORDERS[han], ...SYMBOL_FAMILIES];
    if (emojiFirst) families.unshift(EMOJI_FAMILY);
    slices = families.flatMap((family) => slicesOf(family).filter(({ ranges }) => inRanges(ranges, code)));
    known.set(key, slices);
  }
  return slices;
}

function inRanges(ranges: readonly number[], code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2)
    if (code >= ranges[index]! && code <= ranges[index + 1]!) return true;
  return false;
}

const families = new Map<string, readonly FontSlice[]>();

/** A family's slices, as its package's unicode.json names them. */
function slicesOf(family: string): readonly FontSlice[] {
  let slices = families.get(family);
  if (!slices) {
    const list = require.resolve(`@fontsource-variable/${family}/unicode.json`);
    const named = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
    slices = Object.entries(named).map(([name, ranges]) => {
      const id = `${family}-${name.replace(/[[\]]/g, '')}`;
      return {
        id,
        file: join(dirname(list), 'files', `${id}-wght-normal.woff2`),
        ranges: parseRanges(ranges),
      };
    });
    families.set(family, slices);
  }
  return slices;
}

/** `U+0-FF,U+131` → [0, 255, 305, 305] */
function parseRanges(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [first, last] = range.trim().slice(2).split('-');
    return [Number.parseInt(first!, 16), Number.parseInt(last ?? first!, 16)];
  });
}
