import type { EmbeddedFonts } from './embedded-fonts.ts';
import { type Color, PAGE_HEIGHT, PAGE_WIDTH, PageCanvas } from './page-canvas.ts';
import type { ShapedLine } from './shape-text.ts';
import { Typesetter } from './typesetter.ts';

export const LEFT = 48;
export const RIGHT = PAGE_WIDTH - 48;
export const WIDTH = RIGHT - LEFT;
export const TOP = 48;
export const BOTTOM = PAGE_HEIGHT - 64;
/** From one baseline to the next in text of nine points. */
export const LINE = 14;

export const INK: Color = '0.10 0.12 0.16';
export const MUTED: Color = '0.42 0.45 0.51';
export const RULE: Color = '0.88 0.89 0.91';

/** Position of the writing: the pages so far, and how far down the last one is filled. */
export interface Flow {
  typesetter: Typesetter;
  fonts: EmbeddedFonts;
  pages: PageCanvas[];
  y: number;
  /** Laid out from the right. */
  isMirrored: boolean;
}

export function newPage(flow: Flow): void {
  flow.pages.push(new PageCanvas(flow.fonts, flow.isMirrored));
  flow.y = TOP;
}

export function space(flow: Flow, height: number): void {
  flow.y += height;
}

/** True if this much more fits on the page; at the top of a page everything counts as fitting. */
export function fits(flow: Flow, height: number): boolean {
  return flow.y === TOP || flow.y + height <= BOTTOM;
}

/** Writes a line and moves below it, on to a new page where this one is full. Gives the line's baseline. */
export function write(
  flow: Flow,
  line: ShapedLine,
  x: number,
  size: number,
  color: Color,
  height: number,
  ascent = size,
): number {
  if (!fits(flow, height)) newPage(flow);
  const baseline = flow.y + ascent;
  flow.pages.at(-1)!.text(line, x, baseline, size, color);
  flow.y += height;
  return baseline;
}

/** The invoice's number and "2 / 5" at the foot of every page. */
export async function drawFooters(flow: Flow, number: string): Promise<void> {
  const baseline = PAGE_HEIGHT - 36;
  const counts = flow.pages.map((_, index) => `${index + 1} / ${flow.pages.length}`);
  const typesetter = await Typesetter.open([number, ...counts]);
  flow.pages.forEach((page, index) => {
    const count = typesetter.line(counts[index]!, 400);
    const [name] = typesetter.wrap(number, 400, (WIDTH - 100) / 8);
    page.rule(LEFT, baseline - 16, WIDTH, 0.5, RULE);
    page.text(name!, LEFT, baseline, 8, MUTED);
    page.text(count, RIGHT - count.width * 8, baseline, 8, MUTED);
  });
}
