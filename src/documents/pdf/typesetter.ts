import { setImmediate as nextTurn } from 'node:timers/promises';
import { breakLines } from './break-text.ts';
import { type Engines, loadEngines, type Weight } from './font-faces.ts';
import { openParagraph, type Paragraph, type ShapedLine, shapeLine } from './shape-text.ts';

/** After so many texts others have a turn: about two milliseconds' work. */
const TEXTS_PER_TURN = 50;

/** Sets the texts of one document into lines. All their fonts are loaded beforehand, so that setting never waits. */
export class Typesetter {
  readonly #engines: Engines;
  readonly #paragraphs = new Map<string, Paragraph>();
  readonly #lines = new Map<string, ShapedLine>();

  private constructor(engines: Engines) {
    this.#engines = engines;
  }

  static async open(texts: Iterable<string>): Promise<Typesetter> {
    const typesetter = new Typesetter(await loadEngines());
    for (const text of new Set(texts)) {
      typesetter.#paragraphs.set(text, await openParagraph(text));
      if (typesetter.#paragraphs.size % TEXTS_PER_TURN === 0) await nextTurn();
    }
    return typesetter;
  }

  /** The text on one line, however long. */
  line(text: string, weight: Weight): ShapedLine {
    const key = `${weight} ${text}`;
    let line = this.#lines.get(key);
    if (!line) {
      line = shapeLine(this.#engines.harfbuzz, this.#paragraph(text), weight);
      this.#lines.set(key, line);
    }
    return line;
  }

  /** The text on as many lines as it needs to be no wider than this, in ems. */
  wrap(text: string, weight: Weight, maxWidth: number): ShapedLine[] {
    const line = this.line(text, weight);
    if (line.width <= maxWidth) return [line];
    let start = 0;
    const { text: printed } = this.#paragraph(text);
    return breakLines(printed, widthsOf(line), maxWidth).map((end) => {
      const visible = printed.slice(start, end).trimEnd().length;
      const shaped = shapeLine(this.#engines.harfbuzz, this.#paragraph(text), weight, start, start + visible);
      start = end;
      return shaped;
    });
  }

  #paragraph(text: string): Paragraph {
    const paragraph = this.#paragraphs.get(text);
    if (!paragraph) throw new Error('a text was set whose fonts were not loaded');
    return paragraph;
  }
}

function widthsOf(line: ShapedLine): number[] {
  const widths: number[] = [];
  for (const { run } of line.runs)
    for (const { at, advance } of run.glyphs)
      widths[at] = (widths[at] ?? 0) + advance / run.face.file.unitsPerEm;
  return widths;
}
