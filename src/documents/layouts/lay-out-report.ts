import { setImmediate as nextTurn } from 'node:timers/promises';
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
  space,
  WIDTH,
  write,
} from '../pdf/flow.ts';
import type { PageCanvas } from '../pdf/page-canvas.ts';
import type { Typesetter } from '../pdf/typesetter.ts';
import type { ReportText } from './describe-report.ts';
import { drawTitle } from './lay-out-invoice.ts';
import { drawLines } from './lay-out-lines.ts';
import { drawRows } from './lay-out-payment.ts';
import type { LogoImage } from './logo-image.ts';

/** So that a month of days fits a page. */
const ROW_PADDING = 3;
/** Height of the beginning of a section, which stays with its title. */
const KEPT_HEIGHT = 7 * LINE;

/** Places a report on pages: what it is, a table for each section, and what the figures mean. */
export async function layOutReport(
  words: ReportText,
  typesetter: Typesetter,
  fonts: EmbeddedFonts,
  logo: LogoImage | undefined,
): Promise<PageCanvas[]> {
  const isMirrored = directionOf(words.language) === 'rtl';
  const flow: Flow = { typesetter, fonts, pages: [], y: 0, isMirrored };
  newPage(flow);
  drawTitle(flow, words, logo);
  drawRows(flow, words.facts);
  space(flow, 26);
  for (const line of typesetter.wrap(words.headline, 600, WIDTH / 17)) write(flow, line, LEFT, 17, INK, 24);
  for (const section of words.sections) await drawSection(flow, section);
  space(flow, 26);
  for (const note of words.notes)
    for (const line of typesetter.wrap(note, 400, WIDTH / 8)) write(flow, line, LEFT, 8, MUTED, 12);
  await drawFooters(flow, `${words.title} ${words.facts[0]![1]}`);
  return flow.pages;
}

async function drawSection(
  flow: Flow,
  { title, table, note }: ReportText['sections'][number],
): Promise<void> {
  const { typesetter } = flow;
  space(flow, 22);
  if (!fits(flow, KEPT_HEIGHT)) newPage(flow);
  write(flow, typesetter.line(title, 600), LEFT, 11, INK, LINE + 8);
  if (table.lines.length > 0) for (const _page of drawLines(flow, table, ROW_PADDING)) await nextTurn();
  if (note === '') return;
  if (table.lines.length > 0) space(flow, 6);
  write(flow, typesetter.line(note, 400), LEFT, 9, MUTED, LINE);
}
