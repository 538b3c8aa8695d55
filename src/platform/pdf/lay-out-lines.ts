import type { InvoiceText } from './describe-invoice.ts';
import { type Flow, fits, INK, LEFT, LINE, MUTED, newPage, RIGHT, RULE, WIDTH } from './flow.ts';
import type { ShapedLine } from './shape-text.ts';
import type { Typesetter } from './typesetter.ts';

const SIZE = 9;
const SMALL = 8;
const GAP = 18;
const MIN_DESCRIPTION_WIDTH = 150;
const ROW_PADDING = 7;
const HEADER_HEIGHT = 22;

interface Columns {
  descriptionWidth: number;
  figureWidths: readonly number[];
  figureSize: number;
}

/** The table of lines. Yields after every page, so that a long invoice lets others have their turn. */
export function* drawLines(flow: Flow, words: InvoiceText): Generator<void> {
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
    const kept = Math.min(texts.length, 3) * LINE + ROW_PADDING * 2;
    if (!fits(flow, kept)) yield* startPage();
    flow.y += ROW_PADDING;
    for (const [index, text] of texts.entries()) {
      if (!fits(flow, LINE)) yield* startPage();
      flow.pages.at(-1)!.text(text.line, LEFT, flow.y + SIZE, text.size, text.color);
      if (index === 0) drawFigures(flow, line.figures, columns);
      flow.y += LINE;
    }
    flow.y += ROW_PADDING - 3;
    flow.pages.at(-1)!.rule(LEFT, flow.y, WIDTH, 0.5, RULE);
  }
}

/** Figures get the width of the widest; where they would leave too little for words they are set smaller. */
function measureColumns(typesetter: Typesetter, { columns, lines }: InvoiceText): Columns {
  const titles = columns.slice(1);
  const widest = titles.map((_, column) =>
    lines.reduce((most, { figures }) => Math.max(most, typesetter.line(figures[column]!, 400).width), 0),
  );
  const room = WIDTH - MIN_DESCRIPTION_WIDTH - GAP * 3;
  const figureSize = Math.min(SIZE, room / widest.reduce((sum, width) => sum + width, 0.01));
  const figureWidths = titles.map((title, column) =>
    Math.max(widest[column]! * figureSize, typesetter.line(title, 400).width * SMALL, 44),
  );
  const taken = figureWidths.reduce((sum, width) => sum + width + GAP, 0);
  return { descriptionWidth: WIDTH - taken, figureWidths, figureSize };
}

function drawHeader(flow: Flow, { columns }: InvoiceText, { figureWidths }: Columns): void {
  const page = flow.pages.at(-1)!;
  const [description, ...figures] = columns;
  page.text(flow.typesetter.line(description, 400), LEFT, flow.y + SMALL, SMALL, MUTED);
  drawRight(flow, figures, figureWidths, SMALL, SMALL, MUTED);
  flow.y += HEADER_HEIGHT - 7;
  page.rule(LEFT, flow.y, WIDTH, 0.75, INK);
}

function describeLine(
  typesetter: Typesetter,
  { description, period }: InvoiceText['lines'][number],
  { descriptionWidth }: Columns,
): { line: ShapedLine; size: number; color: string }[] {
  const texts = typesetter
    .wrap(description, 400, descriptionWidth / SIZE)
    .map((line) => ({ line, size: SIZE, color: INK }));
  if (period)
    for (const line of typesetter.wrap(period, 400, descriptionWidth / SMALL))
      texts.push({ line, size: SMALL, color: MUTED });
  return texts;
}

function drawFigures(flow: Flow, figures: readonly string[], { figureWidths, figureSize }: Columns): void {
  drawRight(flow, figures, figureWidths, figureSize, SIZE, INK);
}

/** Texts flush right in their columns, the last of which ends at the margin. */
function drawRight(
  flow: Flow,
  texts: readonly string[],
  widths: readonly number[],
  size: number,
  ascent: number,
  color: string,
): void {
  texts.forEach((text, column) => {
    const line = flow.typesetter.line(text, 400);
    const right = RIGHT - widths.slice(column + 1).reduce((sum, width) => sum + width + GAP, 0);
    flow.pages.at(-1)!.text(line, right - line.width * size, flow.y + ascent, size, color);
  });
}
