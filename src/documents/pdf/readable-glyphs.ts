/** A glyph to draw and the text it stands for; distances in the font's own units. */
export interface Glyph {
  id: number;
  /** Start of its cluster in the paragraph. */
  at: number;
  /** Empty for a part of another letter, such as a dot: that is drawn as a shape, since as text it would be read twice. */
  text: string;
  advance: number;
  xOffset: number;
  yOffset: number;
  /** How wide a reader takes it to be, where that is not the font's own width for it. */
  width?: number;
}

const mark = /\p{Mn}/u;
const onlyMark = /^\p{Mn}$/u;

/**
 * Gives the glyphs of one direction their texts, so that reading them back gives what was typed even where letters
 * merged, split or changed places. Readers take a mark to have no width, and a gap in widths to be a space; therefore
 * each cluster is one glyph of the cluster's whole width, or glyph for letter where both sides agree.
 */
export function readableGlyphs(
  glyphs: readonly Glyph[],
  text: string,
  end: number,
  rightToLeft: boolean,
  blank: number,
): Glyph[] {
  const logical = rightToLeft ? glyphs.toReversed() : glyphs;
  const clusters: Glyph[][] = [];
  for (let from = 0; from < logical.length; ) {
    let to = from;
    while (to < logical.length && logical[to]!.at === logical[from]!.at) to++;
    const next = logical[to]?.at ?? end;
    clusters.push(
      readableCluster(logical.slice(from, to), text.slice(logical[from]!.at, next), rightToLeft, blank),
    );
    from = to;
  }
  const read = clusters.flat();
  return rightToLeft ? read.reverse() : read;
}

/** One cluster's glyphs in reading order. */
function readableCluster(glyphs: Glyph[], text: string, rightToLeft: boolean, blank: number): Glyph[] {
  const characters = [...text];
  const agree =
    glyphs.length === characters.length &&
    glyphs.every((glyph, index) => (glyph.advance === 0) === onlyMark.test(characters[index]!));
  if (agree) return glyphs.map((glyph, index) => withText(glyph, characters[index]!));
  const isWhole = glyphs.length === 1 && !mark.test(text);
  if (isWhole && (characters.length === 1 || !rightToLeft)) return [withText(glyphs[0]!, text)];
  return carriedCluster(glyphs, characters, rightToLeft, blank);
}

function withText(glyph: Glyph, text: string): Glyph {
  return glyph.advance === 0 ? { ...glyph, text, width: 0 } : { ...glyph, text };
}

/** The leftmost glyph with a width carries the first letter, a blank of no width the others; the rest are shapes. */
function carriedCluster(glyphs: Glyph[], characters: string[], rightToLeft: boolean, blank: number): Glyph[] {
  const visual = rightToLeft ? glyphs.toReversed() : glyphs;
  const carrier = Math.max(
    0,
    visual.findIndex((glyph) => glyph.advance !== 0),
  );
  const width =
    visual.slice(carrier).reduce((sum, glyph) => sum + glyph.advance, 0) - visual[carrier]!.xOffset;
  const [first = '', ...others] = characters;
  const drawn = visual.map((glyph, index) =>
    index === carrier ? { ...glyph, text: first, width } : { ...glyph, text: '' },
  );
  const blankFor = (text: string) => {
    return { id: blank, at: visual[0]!.at, text, advance: 0, xOffset: 0, yOffset: 0, width: 0 };
  };
  // Right-to-left text is turned around letter by letter, so there each letter needs a blank of its own.
  if (rightToLeft) return [...drawn.reverse(), ...others.map(blankFor)];
  return others.length > 0 ? [...drawn, blankFor(others.join(''))] : drawn;
}
