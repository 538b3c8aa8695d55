import encodeQR from 'qr';
import { type Flow, fits, INK, LEFT, LINE, MUTED, newPage, RIGHT, space, WIDTH, write } from '../pdf/flow.ts';
import type { ShapedLine } from '../pdf/shape-text.ts';
import type { InvoiceText, Row } from './describe-invoice.ts';

const LABEL_WIDTH = 104;
const SIZE = 9;

/** Labels with their values beside them; a value too long for its column continues below. */
export function drawRows(flow: Flow, rows: readonly Row[]): void {
  const labelWidth = labelWidthOf(flow, rows);
  for (const row of rows) drawRow(flow, row, labelWidth, WIDTH);
}

function labelWidthOf({ typesetter }: Flow, rows: readonly Row[]): number {
  return Math.max(LABEL_WIDTH, ...rows.map(([label]) => typesetter.line(label, 400).width * SIZE + 12));
}

function drawRow(flow: Flow, [label, value]: Row, labelWidth: number, width: number, url?: string): void {
  const lines = flow.typesetter.wrap(value, 400, (width - labelWidth) / SIZE);
  if (!fits(flow, LINE)) newPage(flow);
  drawLabel(flow, label);
  for (const line of lines) writeValue(flow, line, LEFT + labelWidth, SIZE, url);
}

function drawLabel(flow: Flow, label: string): void {
  flow.pages.at(-1)!.text(flow.typesetter.line(label, 400), LEFT, flow.y + SIZE, SIZE, MUTED);
}

/** Draws the rows that say where the money goes or went. */
export function drawPayment(flow: Flow, { paymentTitle, payment, payOnline, note }: InvoiceText): void {
  if (payOnline) drawCodeAndRows(flow, paymentTitle, payment, payOnline);
  else {
    if (!fits(flow, (payment.length + 3) * LINE)) newPage(flow);
    drawHeading(flow, paymentTitle);
    drawWholeRows(flow, payment, WIDTH);
  }
  space(flow, 10);
  for (const line of flow.typesetter.wrap(note, 400, WIDTH / 8)) write(flow, line, LEFT, 8, MUTED, 12);
}

function drawHeading(flow: Flow, title: string): void {
  write(flow, flow.typesetter.line(title, 600), LEFT, SIZE, INK, LINE + 3);
}

/** The smallest print that is easy to read: a value that would need smaller takes several lines. */
const SMALLEST = 6.5;

function drawWholeRows(flow: Flow, rows: readonly Row[], width: number): void {
  const labelWidth = labelWidthOf(flow, rows);
  for (const row of rows) drawWholeRow(flow, row, labelWidth, width);
}

/** An address, a signature or a link stays on one line where it can, so that it can be copied whole. */
function drawWholeRow(flow: Flow, row: Row, labelWidth: number, width: number, url?: string): void {
  const [label, value] = row;
  const line = flow.typesetter.line(value, 400);
  const size = Math.min(SIZE, (width - labelWidth) / line.width);
  if (size < SMALLEST) drawRow(flow, row, labelWidth, width, url);
  else {
    if (!fits(flow, LINE)) newPage(flow);
    drawLabel(flow, label);
    writeValue(flow, line, LEFT + labelWidth, size, url);
  }
}

function writeValue(flow: Flow, line: ShapedLine, x: number, size: number, url: string | undefined): void {
  const baseline = write(flow, line, x, size, INK, LINE, SIZE);
  if (url !== undefined) flow.pages.at(-1)!.link(x, baseline - SIZE - 1, line.width * size, LINE, url);
}

/** Around a code, so that readers find it: four of its squares. Left of it is more, and right of it the margin. */
const QUIET_SQUARES = 4;
const CODE_GAP = 28;
/** Points of one square: 0.7 mm, which every phone reads from paper. */
const SQUARE = 2;

/** The page to pay on as a code at the margin, and beside it as a link with the other rows; all on one page. */
function drawCodeAndRows(
  flow: Flow,
  title: string,
  rows: readonly Row[],
  { label, url, hint }: NonNullable<InvoiceText['payOnline']>,
): void {
  const { typesetter } = flow;
  const squares = codeOf(url);
  const side = squares.length * SQUARE;
  const width = WIDTH - side - CODE_GAP;
  const labelWidth = labelWidthOf(flow, [...rows, [label, '']]);
  const linkLines = typesetter.wrap(url, 400, (width - labelWidth) / SIZE).length;
  const rowsHeight = (rows.length + linkLines + 4) * LINE;
  if (!fits(flow, Math.max(side, rowsHeight) + QUIET_SQUARES * SQUARE)) newPage(flow);
  const top = flow.y;
  const page = flow.pages.at(-1)!;
  page.squares(squares, RIGHT - side, top, side, '0 0 0');
  page.link(RIGHT - side, top, side, side, url);
  drawHeading(flow, title);
  for (const row of rows) drawRow(flow, row, labelWidth, width);
  drawWholeRow(flow, [label, url], labelWidth, width, url);
  space(flow, 4);
  for (const line of typesetter.wrap(hint, 400, width / SIZE)) write(flow, line, LEFT, SIZE, INK, LINE);
  if (flow.pages.at(-1) === page) flow.y = Math.max(flow.y, top + side + QUIET_SQUARES * SQUARE);
}

/** Without the rim that comes with it: the paper around it is white. */
function codeOf(url: string): boolean[][] {
  const rows = encodeQR(url, 'raw', { border: 1, ecc: url.length > 200 ? 'low' : 'medium' });
  return rows.slice(1, -1).map((row) => row.slice(1, -1));
}
