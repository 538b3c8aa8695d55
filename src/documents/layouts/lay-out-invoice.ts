import { setImmediate as nextTurn } from 'node:timers/promises';
import { channels } from '../../platform/lib/color.ts';
import { directionOf } from '../../platform/lib/language.ts';
import type { EmbeddedFonts } from '../pdf/embedded-fonts.ts';
import {
  drawFooters,
  type Flow,
  fits,
  INK,
  LEFT,
  LINE,
  MUTED,
  newPage,
  RIGHT,
  RULE,
  space,
  TOP,
  WIDTH,
  write,
} from '../pdf/flow.ts';
import type { PageCanvas } from '../pdf/page-canvas.ts';
import type { Typesetter } from '../pdf/typesetter.ts';
import type { InvoiceText } from './describe-invoice.ts';
import { drawLines } from './lay-out-lines.ts';
import { drawPayment, drawRows } from './lay-out-payment.ts';
import type { LogoImage } from './logo-image.ts';

const TONES = {
  good: { ink: '0.05 0.42 0.22', paper: '0.86 0.96 0.89' },
  plain: { ink: '0.27 0.31 0.38', paper: '0.92 0.93 0.95' },
  bad: { ink: '0.60 0.15 0.12', paper: '0.99 0.91 0.90' },
};

const TITLE_SIZE = 22;

/** Places an invoice's words on pages, from the title down to the payment, and numbers the pages. */
export async function layOutInvoice(
  words: InvoiceText,
  typesetter: Typesetter,
  fonts: EmbeddedFonts,
  logo: LogoImage | undefined,
): Promise<PageCanvas[]> {
  const isMirrored = directionOf(words.language) === 'rtl';
  const flow: Flow = { typesetter, fonts, pages: [], y: 0, isMirrored };
  newPage(flow);
  drawTitle(flow, words, logo);
  drawRows(flow, words.facts);
  space(flow, 22);
  drawParties(flow, words);
  space(flow, 30);
  for (const line of typesetter.wrap(words.headline, 600, WIDTH / 17)) write(flow, line, LEFT, 17, INK, 24);
  space(flow, 18);
  for (const _page of drawLines(flow, words)) await nextTurn();
  drawTotals(flow, words);
  space(flow, 30);
  drawMemo(flow, words);
  drawPayment(flow, words);
  await drawFooters(flow, words.facts[0]![1]);
  return flow.pages;
}

/** Draws the kind of paper, with its badges, and its issuer opposite, under their logo. */
export function drawTitle(
  flow: Flow,
  {
    title: kind,
    badges,
    issuer,
    brandColor,
  }: Pick<InvoiceText, 'title' | 'badges' | 'issuer' | 'brandColor'>,
  logo: LogoImage | undefined,
): void {
  const { typesetter } = flow;
  const page = flow.pages.at(-1)!;
  if (brandColor !== null) page.box(LEFT, TOP - 14, WIDTH, 4, 2, pdfColor(brandColor));
  const title = typesetter.line(kind, 600);
  const baseline = TOP + 20;
  page.text(title, LEFT, baseline, TITLE_SIZE, INK);
  let x = LEFT + title.width * TITLE_SIZE + 12;
  for (const { text, tone } of badges) {
    const line = typesetter.line(text, 600);
    const width = line.width * 8 + 14;
    page.box(x, baseline - 13, width, 16, 4, TONES[tone].paper);
    page.text(line, x + 7, baseline - 2.1, 8, TONES[tone].ink);
    x += width + 6;
  }
  const size = 12;
  flow.y = baseline - size;
  if (logo) {
    page.logo(RIGHT - logo.width, TOP, logo.width, logo.height);
    flow.y = TOP + logo.height + 6;
  }
  for (const line of typesetter.wrap(issuer, 600, (RIGHT - x - 24) / size))
    write(flow, line, RIGHT - line.width * size, size, INK, 16);
  flow.y = Math.max(flow.y, baseline) + 26;
}

/** Color as PDF writes it: channels from 0 to 1. */
function pdfColor(color: string): string {
  return channels(color)
    .map((value) => (value / 255).toFixed(3))
    .join(' ');
}

/** Issuer and customer, side by side. */
function drawParties(flow: Flow, { parties }: InvoiceText): void {
  const columnWidth = WIDTH / 2;
  const size = 9;
  const columns = parties.map(({ title, lines }) => ({
    title,
    lines: lines.flatMap((text, index) =>
      flow.typesetter
        .wrap(text, 400, (columnWidth - 24) / size)
        .map((line) => ({ line, color: index === 0 ? INK : MUTED })),
    ),
  }));
  const height = Math.max(0, ...columns.map(({ lines }) => (lines.length + 1) * LINE));
  if (!fits(flow, height)) newPage(flow);
  const top = flow.y;
  columns.forEach(({ title, lines }, column) => {
    const x = LEFT + column * columnWidth;
    flow.y = top;
    write(flow, flow.typesetter.line(title, 600), x, size, INK, LINE);
    for (const { line, color } of lines) write(flow, line, x, size, color, LINE);
  });
  flow.y = top + height;
}

/** The totals, kept on one page and set under the column of amounts; a long label continues below. */
function drawTotals(flow: Flow, { totals }: InvoiceText): void {
  const rowHeight = 19;
  const size = 9;
  const left = LEFT + WIDTH / 2;
  const rows = totals.map(({ label, value, strong }) => {
    const weight = strong ? 600 : 400;
    const amount = flow.typesetter.line(value, weight);
    const room = RIGHT - left - amount.width * size - 12;
    const lines = flow.typesetter.wrap(label, weight, room / size);
    return { amount, lines, height: rowHeight + (lines.length - 1) * 12 };
  });
  const height = rows.reduce((sum, row) => sum + row.height, 12);
  if (!fits(flow, height)) newPage(flow);
  space(flow, 8);
  rows.forEach(({ amount, lines, height: rowTotal }, index) => {
    const page = flow.pages.at(-1)!;
    if (index > 0) page.rule(left, flow.y, RIGHT - left, 0.5, RULE);
    const baseline = flow.y + 12.6;
    for (const [at, line] of lines.entries()) {
      page.text(line, left, baseline + at * 12, size, INK);
      if (at === 0) page.text(amount, RIGHT - amount.width * size, baseline, size, INK);
    }
    flow.y += rowTotal;
  });
}

/** A note, which may be as long as a page: it continues on the next. */
function drawMemo(flow: Flow, { memo }: InvoiceText): void {
  if (!memo) return;
  if (!fits(flow, 3 * LINE)) newPage(flow);
  write(flow, flow.typesetter.line(memo.title, 600), LEFT, 9, INK, LINE + 3);
  for (const text of memo.lines) {
    if (text === '') space(flow, LINE / 2);
    else for (const line of flow.typesetter.wrap(text, 400, WIDTH / 9)) write(flow, line, LEFT, 9, INK, LINE);
  }
  space(flow, 16);
}
