import bidiFactory from 'bidi-js';
import type * as HarfBuzz from 'harfbuzzjs';
import { chooseFonts, type FontPiece, MISSING_SIGN } from './choose-fonts.ts';
import type { FontFace, Weight } from './font-faces.ts';
import { type Glyph, readableGlyphs } from './readable-glyphs.ts';

/** Glyphs of one font and one direction, from left to right. */
export interface GlyphRun {
  face: FontFace;
  rightToLeft: boolean;
  glyphs: Glyph[];
  /** In ems, so that it can be used at any size. */
  width: number;
}

/** One line: runs in the order they are read, each with its place from the left, in ems. */
export interface ShapedLine {
  runs: { run: GlyphRun; x: number }[];
  width: number;
}

/** A text whose fonts and directions are known; lines are cut from it and shaped. */
export interface Paragraph {
  text: string;
  levels: Uint8Array;
  pieces: FontPiece[];
}

const bidi = (bidiFactory as unknown as () => ReturnType<typeof bidiFactory.default>)();

/** Isolates among our own words decide about directions, and are not printed. */
export async function openParagraph(written: string): Promise<Paragraph> {
  const { levels } = bidi.getEmbeddingLevels(written, 'auto');
  const text = written.replace(isolates, '');
  const printed = text === written ? levels : levels.filter((_, at) => !isIsolate.test(written[at]!));
  return { text, levels: printed, pieces: await chooseFonts(text) };
}

const isolates = /[\u2066-\u2069]/g;
const isIsolate = /[\u2066-\u2069]/;

/** Shapes a paragraph from one offset to another as its own line. */
export function shapeLine(
  hb: typeof HarfBuzz,
  paragraph: Paragraph,
  weight: Weight,
  start = 0,
  end = paragraph.text.length,
): ShapedLine {
  const spans = cutSpans(paragraph, start, end);
  const runs = spans.map((span) => shapeSpan(hb, paragraph.text, span, weight));
  const places = new Array<number>(runs.length);
  let width = 0;
  for (const index of visualOrder(spans.map((span) => span.level))) {
    places[index] = width;
    width += runs[index]!.width;
  }
  const placed = runs.map((run, index) => ({ run, x: places[index]! }));
  if (!runs.some((run) => run.rightToLeft)) return { runs: placed, width };
  const readable = placed.flatMap((part) => (isTurnedByReaders(part.run) ? part : oneByOne(part)));
  keepSpaces(readable);
  return { runs: readable, width };
}

const endsInMark = /\p{Mn}$/u;
const rightToLeftLetter = /[\p{sc=Hebrew}\p{sc=Arabic}]/u;

/** Readers turn a right-to-left run around by its letters; one of punctuation alone they leave as it is. */
function isTurnedByReaders(run: GlyphRun): boolean {
  return !run.rightToLeft || run.glyphs.some((glyph) => rightToLeftLetter.test(glyph.text));
}

/** The glyphs of a right-to-left run as runs of their own, in the order they are read. */
function oneByOne({ run, x }: { run: GlyphRun; x: number }): ShapedLine['runs'] {
  let at = x;
  return run.glyphs
    .map((glyph) => {
      const width = glyph.advance / run.face.file.unitsPerEm;
      at += width;
      return { run: { ...run, rightToLeft: false, glyphs: [glyph], width }, x: at - width };
    })
    .reverse();
}

/**
 * Readers find the space between two runs by the gap between them, and there is none when the next one is to the
 * left; nor do they take a space at a run's edge for text, and they move one that comes before a mark. It is read with
 * the letter before it where that is written from the left, and otherwise behind a right-to-left mark.
 */
function keepSpaces(parts: ShapedLine['runs']): void {
  let previous: { glyph: Glyph; rightToLeft: boolean } | undefined;
  parts.forEach((part, order) => {
    const { glyphs, rightToLeft } = part.run;
    const logical = rightToLeft ? glyphs.toReversed() : glyphs;
    const gapBefore = follows(parts[order - 1], part);
    const gapAfter = !rightToLeft && follows(part, parts[order + 1]);
    for (const [index, glyph] of logical.entries()) {
      const afterMark = rightToLeft && endsInMark.test(previous?.glyph.text ?? '');
      const atEdge = (index === 0 && !gapBefore) || (index === logical.length - 1 && !gapAfter);
      if ((atEdge || afterMark) && glyph.text === ' ' && previous) {
        if (previous.rightToLeft) glyph.text = '\u200f ';
        else [previous.glyph.text, glyph.text] = [`${previous.glyph.text} `, ''];
      }
      if (glyph.text !== '') previous = { glyph, rightToLeft };
    }
  });
}

type Part = ShapedLine['runs'][number];

function follows(first: Part | undefined, second: Part | undefined): boolean {
  return first !== undefined && second !== undefined && second.x >= first.x + first.run.width - 0.001;
}

interface Span {
  start: number;
  end: number;
  level: number;
  piece: FontPiece;
}

/** Stretches of one font and one direction. */
function cutSpans({ pieces, levels }: Paragraph, start: number, end: number): Span[] {
  const spans: Span[] = [];
  for (const piece of pieces) {
    for (let at = Math.max(piece.start, start); at < Math.min(piece.end, end); at++) {
      const last = spans.at(-1);
      const level = levels[at]!;
      if (last?.piece === piece && last.level === level) last.end = at + 1;
      else spans.push({ start: at, end: at + 1, level, piece });
    }
  }
  return spans;
}

/** The Unicode rule L2: from the deepest level up, every stretch of at least that level is turned around. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index);
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && levels[order[to]!]! >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return order;
}

/** How much of the text around a run HarfBuzz sees: enough to join letters, little enough to copy for each run. */
const CONTEXT = 8;

/** One for all texts, since what HarfBuzz holds is given back only when the garbage collector comes by. */
let buffer: HarfBuzz.Buffer | undefined;

function shapeSpan(hb: typeof HarfBuzz, text: string, span: Span, weight: Weight): GlyphRun {
  const { start, end, level, piece } = span;
  const face = piece.file.faces[weight];
  if (piece.missing) return missingGlyph(face, text.slice(start, end), start);
  const rightToLeft = level % 2 === 1;
  buffer ??= new hb.Buffer();
  buffer.reset();
  const from = Math.max(0, start - CONTEXT);
  buffer.addText(text.slice(from, end + CONTEXT), start - from, end - start);
  buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS);
  buffer.guessSegmentProperties();
  buffer.setDirection(rightToLeft ? hb.Direction.RTL : hb.Direction.LTR);
  hb.shape(face.font, buffer, piece.file.isTextFamily ? textFeatures(hb, text) : []);
  const infos = buffer.getGlyphInfos();
  const shaped = buffer.getGlyphPositions().map(({ xAdvance: advance, xOffset, yOffset }, index) => {
    const { codepoint: id, cluster } = infos[index]!;
    return { id, at: from + cluster, text: '', advance, xOffset, yOffset };
  });
  const blank = face.font.nominalGlyph(0x20) ?? 0;
  const glyphs = readableGlyphs(shaped, text, end, rightToLeft, blank);
  const advances = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
  return { face, rightToLeft, glyphs, width: advances / piece.file.unitsPerEm };
}

/** Read back, the sign for a missing character still is the character that was meant. */
function missingGlyph(face: FontFace, text: string, at: number): GlyphRun {
  const id = face.font.nominalGlyph(MISSING_SIGN.codePointAt(0)!)!;
  const advance = face.font.glyphHAdvance(id);
  const glyphs = [{ id, at, text, advance, xOffset: 0, yOffset: 0 }];
  return { face, rightToLeft: false, glyphs, width: advance / face.file.unitsPerEm };
}

const figures = /^-?[$\d,.US\u00a0\u202f]+$/;

/** Figures of one width line up in columns; contextual forms would draw the x of "5x7" as a multiplication sign. */
function textFeatures(hb: typeof HarfBuzz, text: string): HarfBuzz.Feature[] {
  const plain = new hb.Feature('calt', 0);
  return figures.test(text) ? [plain, new hb.Feature('tnum', 1, text.search(/[^-]/))] : [plain];
}
