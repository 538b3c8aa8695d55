import { codeOf, type EmbeddedFonts, hex4 } from './embedded-fonts.ts';
import { pdfNumber as n, pdfBytes } from './pdf-writer.ts';
import type { GlyphRun, ShapedLine } from './shape-text.ts';

export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;

/** Red, green and blue from 0 to 1, as PDF writes them. */
export type Color = string;

/**
 * One page's drawing, with y counted downwards from the top. A mirrored page is laid out from the right: everything is
 * placed as far from the right edge as it says from the left, and is itself not turned around.
 */
export class PageCanvas {
  readonly #operators: string[] = [];
  readonly #links: string[] = [];
  readonly #fonts: EmbeddedFonts;
  readonly #isMirrored: boolean;

  constructor(fonts: EmbeddedFonts, isMirrored: boolean) {
    this.#fonts = fonts;
    this.#isMirrored = isMirrored;
  }

  /**
   * Runs are written in reading order, wherever they are placed, because many readers copy text in the order written.
   */
  text(line: ShapedLine, x: number, baseline: number, size: number, color: Color): void {
    const left = this.#leftOf(x, line.width * size);
    const runs = this.#isMirrored ? spacedFromNext(line.runs) : line.runs;
    for (const { run, x: place } of runs)
      this.#run(run, left + place * size, PAGE_HEIGHT - baseline, size, color);
  }

  rule(x: number, y: number, width: number, thickness: number, color: Color): void {
    const bottom = PAGE_HEIGHT - y - thickness / 2;
    this.#operators.push(
      `${color} rg ${n(this.#leftOf(x, width))} ${n(bottom)} ${n(width)} ${n(thickness)} re f`,
    );
  }

  /** A box with round corners. */
  box(x: number, y: number, width: number, height: number, radius: number, color: Color): void {
    const left = this.#leftOf(x, width);
    const right = left + width;
    const [top, bottom] = [PAGE_HEIGHT - y, PAGE_HEIGHT - y - height];
    const r = radius;
    const c = radius * 0.4477;
    const curve = (...points: number[]) => `${points.map(n).join(' ')} c`;
    this.#operators.push(
      `${color} rg ${n(left + r)} ${n(bottom)} m ${n(right - r)} ${n(bottom)} l`,
      curve(right - c, bottom, right, bottom + c, right, bottom + r),
      `${n(right)} ${n(top - r)} l`,
      curve(right, top - c, right - c, top, right - r, top),
      `${n(left + r)} ${n(top)} l`,
      curve(left + c, top, left, top - c, left, top - r),
      `${n(left)} ${n(bottom + r)} l`,
      `${curve(left, bottom + c, left + c, bottom, left + r, bottom)} f`,
    );
  }

  /** The document's only image, with its upper left corner there. */
  logo(x: number, y: number, width: number, height: number): void {
    const bottom = PAGE_HEIGHT - y - height;
    this.#operators.push(
      `q ${n(width)} 0 0 ${n(height)} ${n(this.#leftOf(x, width))} ${n(bottom)} cm /Logo Do Q`,
    );
  }

  /** The dark squares of a code, as one path: between neighbours drawn one by one a reader may see white lines. */
  squares(rows: readonly (readonly boolean[])[], x: number, y: number, side: number, color: Color): void {
    const unit = side / rows.length;
    const left = this.#leftOf(x, side);
    const boxes = rows.flatMap((row, down) =>
      runsOf(row).map(([start, length]) => {
        const bottom = PAGE_HEIGHT - y - (down + 1) * unit;
        return `${n(left + start * unit)} ${n(bottom)} ${n(length * unit)} ${n(unit)} re`;
      }),
    );
    this.#operators.push(`${color} rg ${boxes.join(' ')} f`);
  }

  /** An area that opens a URL when clicked. */
  link(x: number, y: number, width: number, height: number, url: string): void {
    const left = this.#leftOf(x, width);
    const bottom = PAGE_HEIGHT - y - height;
    this.#links.push(
      `<< /Type /Annot /Subtype /Link /Rect [${[left, bottom, left + width, bottom + height].map(n).join(' ')}] ` +
        `/Border [0 0 0] /A << /S /URI /URI ${pdfBytes(url)} >> >>`,
    );
  }

  content(): string {
    return this.#operators.join('\n');
  }

  /** The page's entry for its links; empty without any. */
  annotations(): string {
    return this.#links.length === 0 ? '' : ` /Annots [${this.#links.join(' ')}]`;
  }

  #leftOf(x: number, width: number): number {
    return this.#isMirrored ? PAGE_WIDTH - x - width : x;
  }

  #run(run: GlyphRun, x: number, y: number, size: number, color: Color): void {
    const font = this.#fonts.use(run.face);
    const scale = 1000 / run.face.file.unitsPerEm;
    const out: string[] = [];
    const outlines: string[] = [];
    let shown = '';
    let rise = 0;
    let pen = 0;
    let readerAt = 0;
    const flush = () => {
      if (shown) out.push(`[${shown}] TJ`);
      shown = '';
    };
    for (const glyph of run.glyphs) {
      const target = (pen + glyph.xOffset) * scale;
      pen += glyph.advance;
      if (glyph.text === '') {
        outlines.push(outline(run, glyph.id, x + (target * size) / 1000, y, glyph.yOffset, size));
        continue;
      }
      if (glyph.yOffset !== rise) {
        flush();
        rise = glyph.yOffset;
        out.push(`${n((rise * scale * size) / 1000)} Ts`);
      }
      if (Math.abs(target - readerAt) > 0.05) shown += n(readerAt - target);
      const { code, width } = codeOf(font, glyph);
      shown += `<${hex4(code)}>`;
      readerAt = target + width;
    }
    flush();
    if (rise !== 0) out.push('0 Ts');
    this.#operators.push(
      `BT /${font.name} ${n(size)} Tf ${color} rg 1 0 0 1 ${n(x)} ${n(y)} Tm`,
      ...out.map((part) => part.replaceAll('><', '')),
      'ET',
      ...outlines,
    );
  }
}

/**
 * Ends the text with a space, because what is read next comes to the left of it, where readers see no gap: `1` and
 * `49.00` would be copied as `149.00`. The last letter is read with the space, unless it is part of a run that readers
 * turn around.
 */
function spacedFromNext(runs: ShapedLine['runs']): ShapedLine['runs'] {
  const last = runs.at(-1);
  if (!last || last.run.rightToLeft) return runs;
  const { glyphs } = last.run;
  const spaced = glyphs.map((glyph, at) =>
    at === glyphs.length - 1 && glyph.text !== '' ? { ...glyph, text: `${glyph.text} ` } : glyph,
  );
  return [...runs.slice(0, -1), { ...last, run: { ...last.run, glyphs: spaced } }];
}

/** Stretches of dark squares: where each begins, and how long it is. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, at) => {
    if (isDark && row[at - 1]) runs.at(-1)![1]++;
    else if (isDark) runs.push([at, 1]);
  });
  return runs;
}

/** A glyph that is only part of a letter, such as a dot: drawn as a shape, because as text it would be read twice. */
function outline(run: GlyphRun, id: number, x: number, y: number, yOffset: number, size: number): string {
  const scale = size / run.face.file.unitsPerEm;
  const path: string[] = [];
  let [startX, startY] = [0, 0];
  for (const { type, values } of run.face.font.glyphToJson(id)) {
    const [a = 0, b = 0, c = 0, d = 0] = values;
    if (type === 'M') path.push(`${a} ${b} m`);
    if (type === 'L') path.push(`${a} ${b} l`);
    if (type === 'C') path.push(`${values.join(' ')} c`);
    if (type === 'Q') {
      const controls = [startX + ((a - startX) * 2) / 3, startY + ((b - startY) * 2) / 3];
      path.push(`${[...controls, c + ((a - c) * 2) / 3, d + ((b - d) * 2) / 3, c, d].map(n).join(' ')} c`);
    }
    if (type === 'Z') path.push('h');
    else [startX, startY] = values.slice(-2) as [number, number];
  }
  if (path.length === 0) return '';
  const matrix = `${scale.toFixed(6)} 0 0 ${scale.toFixed(6)} ${n(x)} ${n(y + yOffset * scale)}`;
  return `q ${matrix} cm ${path.join(' ')} f Q`;
}
