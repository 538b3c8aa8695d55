import type { App } from '../../platform/http/route.ts';
import { channels, contrast, readableOn } from '../../platform/lib/color.ts';
import { AppError } from '../../platform/lib/errors.ts';

/** Colours of a page. */
export interface Palette {
  /** Backgrounds that the colour is seen on, the page's own first. */
  grounds: readonly string[];
  /** Direction in which colours move to contrast with the backgrounds. */
  away: '#000000' | '#ffffff';
}

/** Palettes with the values of styles/base.css. */
export const PALETTES: Record<'light' | 'dark', Palette> = {
  light: { grounds: ['#f5f7f8', '#ffffff', '#f1f4f5'], away: '#000000' },
  dark: { grounds: ['#0d1115', '#161b21', '#1d232b'], away: '#ffffff' },
};

/** WCAG 2.2 AA: text, and what shows where a control is. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const SOFT_SHARE = 0.12;

export interface BrandColors {
  accent: string;
  onAccent: string;
  edge: string;
  soft: string;
  link: string;
}

/** The merchant's colour, and what has to go with it so that everything stays readable whatever they chose. */
export function brandColors(color: string, scheme: 'light' | 'dark'): BrandColors {
  const { grounds, away } = PALETTES[scheme];
  // On light backgrounds the colour is kept exactly and a border shows where it ends; on dark backgrounds it is
  // lightened.
  const edge = standOut(color, grounds, away, SHAPE_CONTRAST);
  const accent = scheme === 'light' ? color : edge;
  const soft = mix(grounds[1]!, color, SOFT_SHARE);
  return {
    accent,
    onAccent: readableOn(accent),
    edge,
    soft,
    link: standOut(color, [...grounds, soft], away, TEXT_CONTRAST),
  };
}

/** The colour itself where it is far enough from every ground, else the nearest step of it that is. */
function standOut(color: string, grounds: readonly string[], away: string, ratio: number): string {
  for (let step = 0; step < 100; step++) {
    const tried = mix(color, away, step / 100);
    if (grounds.every((ground) => contrast(tried, ground) >= ratio)) return tried;
  }
  return away;
}

/** `#rrggbb`, `share` of the way from one colour to the other. */
function mix(from: string, to: string, share: number): string {
  const [start, end] = [channels(from), channels(to)];
  const mixed = start.map((value, at) => Math.round(value + (end[at]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** `/brand/0b6b57.css`: what a page with that colour loads after its own styles. */
export function brandRoutes(app: App): void {
  app.get('/brand/:file', (request, reply) => {
    const { file } = request.params as { file: string };
    const digits = /^([0-9a-f]{6})\.css$/i.exec(file)?.[1];
    if (!digits) throw new AppError('NOT_FOUND');
    return reply
      .headers({
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'public, max-age=86400',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(stylesheetOf(`#${digits.toLowerCase()}`));
  });
}

function stylesheetOf(color: string): string {
  const light = declarations(brandColors(color, 'light'));
  const dark = declarations(brandColors(color, 'dark'));
  return `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`;
}

function declarations({ accent, onAccent, edge, soft, link }: BrandColors): string {
  return `--accent:${accent};--on-accent:${onAccent};--accent-edge:${edge};--accent-soft:${soft};--link:${link}`;
}
