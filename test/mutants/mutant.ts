/** A replacement of `source.slice(start, end)`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** One bug, planted by one edit in one file. */
export interface Mutant extends Edit {
  operator: string;
  file: string;
  line: number;
  before: string;
}

export function applyEdit(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** "< becomes <=", on one line and short enough for a table. */
export function describeMutant({ before, text }: Mutant): string {
  const short = (part: string) => {
    const line = part.replace(/\s+/g, ' ').trim();
    return line.length > 70 ? `${line.slice(0, 67)}…` : line;
  };
  const after = short(text);
  return after === '' || after === ';' ? `${short(before)} removed` : `${short(before)} → ${after}`;
}
