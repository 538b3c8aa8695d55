import { type Flow, fits, INK, LEFT, LINE, MUTED, newPage, RIGHT, RULE, WIDTH } from '../pdf/flow.ts';
import type { Weight } from '../pdf/font-faces.ts';
import type { ShapedLine } from '../pdf/shape-text.ts';
import type { Typesetter } from '../pdf/typesetter.ts';

const SIZE = 9;
const SMALL = 8;
const GAP = 18;
const MIN_DESCRIPTION_WIDTH = 150;
const ROW_PADDING = 7;
const HEADER_HEIGHT = 22;

/** Words on the left and figures in columns on the right. */
export interface Table {
  columns: readonly [string, ...string[]];
  lines: readonly {
    description: string;
    period: string;
    figures: readonly string[];
    isStrong?: boolean;
  }[];
}

interface Columns {
  descriptionWidth: number;
  figureWidths: readonly number[];
  figureSize: number;
}

/** The table of lines. Yields after every page, so that a long invoice lets others have their turn. */
export function* drawLines(flow: Flow, words: Table, padding = ROW_PADDING): Generator<void> {
  const columns = measureColumns(flow.typesetter, words);
  const startPage = function* () {
    newPage(flow);
    drawHeader(flow, words, columns);
    yield;
  };
  if (!fits(flow, HEADER_HEIGHT + LINE * 3)) newPage(flow);
  drawHeader(flow, words, columns);
  for (const line of words.lines) {
    const texts = describeLine(flow.typesetter, line, columns);
    // The first lines of a row stay together; a very long description runs on over the page.
    const kept = Math.min(texts.length, 3) * LINE + padding * 2;
    if (!fits(flow, kept)) yield* startPage();
    flow.y += padding;
    for (const [index, text] of texts.entries()) {
      if (!fits(flow, LINE)) yield* startPage();
      flow.pages.at(-1)!.text(text.line, LEFT, flow.y + SIZE, text.size, text.color);
      if (index === 0) drawFigures(flow, line, columns);
      flow.y += LINE;
    }
    flow.y += padding - 3;
    flow.pages.at(-1)!.rule(LEFT, flow.y, WIDTH, 0.5, RULE);
  }
}

/** Figures get the width of the widest; where they would leave too little for words they are set smaller. */
function measureColumns(typesetter: Typesetter, { columns, lines }: Table): Columns {
  const titles = columns.slice(1);
  const widest = titles.map((_, column) =>
    lines.reduce(
      (most, { figures, isStrong }) =>
        Math.max(most, typesetter.line(figures[column]!, weightOf({ isStrong })).width),
      0,
    ),
  );
  const room = WIDTH - MIN_DESCRIPTION_WIDTH - GAP * titles.length;
  const figureSize = Math.min(SIZE, room / widest.reduce((sum, width) => sum + width, 0.01));
  const figureWidths = titles.map((title, column) =>
    Math.max(widest[column]! * figureSize, typesetter.line(title, 400).width * SMALL, 44),
  );
  const taken = figureWidths.reduce((sum, width) => sum + width + GAP, 0);
  return { descriptionWidth: WIDTH - taken, figureWidths, figureSize };
}

function drawHeader(flow: Flow, { columns }: Table, { figureWidths }: Columns): void {
  const page = flow.pages.at(-1)!;
  const [description, ...figures] = columns;
  page.text(flow.typesetter.line(description, 400), LEFT, flow.y + SMALL, SMALL, MUTED);
  drawRight(flow, figures, figureWidths, { size: SMALL, ascent: SMALL, color: MUTED, weight: 400 });
  flow.y += HEADER_HEIGHT - 7;
  page.rule(LEFT, flow.y, WIDTH, 0.75, INK);
}

function describeLine(
  typesetter: Typesetter,
  { description, period, isStrong }: Table['lines'][number],
  { descriptionWidth }: Columns,
): { line: ShapedLine; size: number; color: string }[] {
  const texts = typesetter
    .wrap(description, weightOf({ isStrong }), descriptionWidth / SIZE)
    .map((line) => ({ line, size: SIZE, color: INK }));
  if (period)
    for (const line of typesetter.wrap(period, 400, descriptionWidth / SMALL))
      texts.push({ line, size: SMALL, color: MUTED });
  return texts;
}

function drawFigures(flow: Flow, line: Table['lines'][number], { figureWidths, figureSize }: Columns): void {
  const weight = weightOf(line);
  drawRight(flow, line.figures, figureWidths, { size: figureSize, ascent: SIZE, color: INK, weight });
}

function weightOf({ isStrong }: { isStrong?: boolean | undefined }): Weight {
  return isStrong ? 600 : 400;
}

/** Texts flush right in their columns, the last of which ends at the margin. */
function drawRight(
  flow: Flow,
  texts: readonly string[],
  widths: readonly number[],
  { size, ascent, color, weight }: { size: number; ascent: number; color: string; weight: Weight },
): void {
  texts.forEach((text, column) => {
    const line = flow.typesetter.line(text, weight);
    const right = RIGHT - widths.slice(column + 1).reduce((sum, width) => sum + width + GAP, 0);
    flow.pages.at(-1)!.text(line, right - line.width * size, flow.y + ascent, size, color);
  });
}
