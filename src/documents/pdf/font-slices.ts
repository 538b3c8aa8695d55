import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';

const require = createRequire(import.meta.url);

/** One file of a font family, cut for some of its characters. */
export interface FontSlice {
  id: string;
  file: string;
}

/** Characters from first to last are in a slice; no range up to this one reaches further than `reach`. */
interface Range {
  first: number;
  last: number;
  reach: number;
  slice: FontSlice;
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

/** Order of fonts for Chinese characters, whose form depends on the language and is not given by Unicode. */
const HAN_ORDERS = {
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-kr'],
  korean: ['noto-sans-kr', 'noto-sans-jp', 'noto-sans-tc', 'noto-sans-sc'],
  chinese: ['noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'],
};

export type HanOrder = keyof typeof HAN_ORDERS;

/** Kana means Japanese, Hangul means Korean; text with neither counts as Chinese. */
export function hanOrderOf(text: string): HanOrder {
  if (/[\p{scx=Hiragana}\p{scx=Katakana}]/u.test(text.replace(/[^\p{L}]/gu, ''))) return 'japanese';
  return /\p{sc=Hangul}/u.test(text) ? 'korean' : 'chinese';
}

const emojiLooking = /\p{Emoji_Presentation}|\ufe0f/u;

/** More characters than a busy server meets in a day, and few enough that nobody can fill the memory with them. */
const MAX_KNOWN = 20_000;
const known = new BoundedMap<string, readonly FontSlice[]>(MAX_KNOWN);

/** The slices that were cut for this character, the most fitting first; whether one has it, only the file knows. */
export function slicesFor(character: string, han: HanOrder, grapheme = character): readonly FontSlice[] {
  const emojiFirst = emojiLooking.test(grapheme);
  const key = `${emojiFirst ? 'emoji' : han} ${character}`;
  return known.getOrMake(key, () => {
    const code = character.codePointAt(0)!;
    const families = [TEXT_FAMILY, ...SCRIPT_FAMILIES, ...HAN_ORDERS[han], ...SYMBOL_FAMILIES];
    if (emojiFirst) families.unshift(EMOJI_FAMILY);
    return families.flatMap((family) => slicesIn(rangesOf(family), code));
  });
}

/** Slices of a family that were cut for this character, found from the last range that begins at or before it. */
function slicesIn(ranges: readonly Range[], code: number): FontSlice[] {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.first <= code) low = middle + 1;
    else high = middle;
  }
  const slices: FontSlice[] = [];
  for (let at = low - 1; at >= 0 && ranges[at]!.reach >= code; at--)
    if (ranges[at]!.last >= code) slices.push(ranges[at]!.slice);
  return slices;
}

const families = new Map<string, readonly Range[]>();

/** A family's ranges in order, as its package's unicode.json names them: `U+0-FF,U+131`. */
function rangesOf(family: string): readonly Range[] {
  let ranges = families.get(family);
  if (!ranges) {
    const list = require.resolve(`@fontsource-variable/${family}/unicode.json`);
    const named = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
    ranges = Object.entries(named).flatMap(([name, text]) => {
      const id = `${family}-${name.replace(/[[\]]/g, '')}`;
      const slice = { id, file: join(dirname(list), 'files', `${id}-wght-normal.woff2`) };
      return text.split(',').map((range) => {
        const [first, last = first] = range.trim().slice(2).split('-');
        return { first: Number.parseInt(first!, 16), last: Number.parseInt(last!, 16), reach: 0, slice };
      });
    });
    let reach = 0;
    for (const range of (ranges as Range[]).sort((a, b) => a.first - b.first)) {
      reach = Math.max(reach, range.last);
      range.reach = reach;
    }
    families.set(family, ranges);
  }
  return ranges;
}
