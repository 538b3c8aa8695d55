import { randomBase62 } from './ids.ts';

/** A text with gaps, kept as pieces: filling it costs no more than joining them. */
export type Template = (...words: string[]) => string;

/** Marks a gap. It cannot be guessed, so no text from outside contains it. */
export function newGap(): string {
  return `gap${randomBase62(24)}`;
}

/** Splits a text at its gaps, each of which comes once, in this order. Words must be escaped before they go in. */
export function templateOf(text: string, gaps: readonly string[]): Template {
  const pieces: string[] = [];
  let rest = text;
  for (const gap of gaps) {
    const at = rest.indexOf(gap);
    if (at < 0) throw new Error('a gap is missing, or out of order');
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at + gap.length);
  }
  if (gaps.some((gap) => rest.includes(gap))) throw new Error('a gap comes twice');
  pieces.push(rest);
  return (...words) => {
    let written = pieces[0]!;
    for (let i = 0; i < words.length; i++) written += words[i]! + pieces[i + 1]!;
    return written;
  };
}

/** Created on first use and kept. */
export function kept(templates: Map<string, Template>, name: string, make: () => Template): Template {
  const known = templates.get(name) ?? make();
  templates.set(name, known);
  return known;
}
