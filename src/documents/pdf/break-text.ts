const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Scripts written without spaces whose words only a dictionary knows; the segmenter has one. */
const unspaced = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const ideographic = /[\p{sc=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uff60]/u;
const neverFirst =
  /^[\p{Pe}\p{Pf}\p{Po}\u3005\u30fb\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7]/u;
const neverLast = /[\p{Ps}\p{Pi}]$/u;

/** Ends of lines of this width, as UTF-16 offsets; `widths` has the width of the character at each offset. */
export function breakLines(text: string, widths: readonly number[], maxWidth: number): number[] {
  const ends: number[] = [];
  const softBreaks = breakOffsets(text);
  let lineWidth = 0;
  let lastBreak = 0;
  let widthSinceBreak = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    if (softBreaks.has(index)) {
      lastBreak = index;
      widthSinceBreak = 0;
    }
    let width = 0;
    for (let at = index; at < index + segment.length; at++) width += widths[at] ?? 0;
    const lineStart = ends.at(-1) ?? 0;
    // A space may hang over the edge; anything else moves to the next line with its word, or splits a word too long.
    if (segment !== ' ' && lineWidth + width > maxWidth && index > lineStart) {
      const end = lastBreak > lineStart ? lastBreak : index;
      ends.push(end);
      lineWidth = end === index ? 0 : widthSinceBreak;
    }
    lineWidth += width;
    widthSinceBreak += width;
  }
  ends.push(text.length);
  return ends;
}

/** Offsets at which a line may begin. */
function breakOffsets(text: string): Set<number> {
  const offsets = new Set<number>();
  let previous = '';
  for (const { segment, index } of words.segment(text)) {
    if (mayBreak(previous, segment)) offsets.add(index);
    let at = index;
    let before = '';
    if (ideographic.test(segment))
      for (const character of segment) {
        if (before && mayBreak(before, character)) offsets.add(at);
        at += character.length;
        before = character;
      }
    previous = segment;
  }
  return offsets;
}

function mayBreak(before: string, after: string): boolean {
  if (before === '' || after === ' ') return false;
  if (before.endsWith(' ')) return true;
  if (neverFirst.test(after) || neverLast.test(before)) return false;
  if (/[-\u2010\u2013\u2014/]$/.test(before)) return true;
  if (unspaced.test(before) && unspaced.test(after)) return true;
  return ideographic.test([...before].at(-1)!) || ideographic.test([...after][0]!);
}
