import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from '../../platform/lib/color.ts';
import { brandColors, PALETTES } from './brand.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is what WCAG says it is', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#777777', '#777777')).toBe(1);
});

test.each(['light', 'dark'] as const)('on %s ground every colour leaves everything readable', (scheme) => {
  const { grounds } = PALETTES[scheme];
  const ink = scheme === 'light' ? '#171d24' : '#e8ecf0';
  fc.assert(
    fc.property(anyColor, (color) => {
      const { accent, onAccent, edge, soft, link } = brandColors(color, scheme);
      expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, soft)).toBeGreaterThanOrEqual(4.5);
      for (const ground of grounds) {
        expect(contrast(edge, ground)).toBeGreaterThanOrEqual(3);
        expect(contrast(link, ground)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(link, soft)).toBeGreaterThanOrEqual(4.5);
      if (scheme === 'light') expect(accent).toBe(color);
    }),
    { numRuns: 2_000, examples: [['#ffffff'], ['#000000'], ['#ffd700'], ['#000080'], ['#777777']] },
  );
});

test('a colour that stands out already is used as it is', () => {
  expect(brandColors('#0b6b57', 'light')).toMatchObject({
    accent: '#0b6b57',
    edge: '#0b6b57',
    link: '#0b6b57',
  });
  expect(brandColors('#62ccb0', 'dark')).toMatchObject({
    accent: '#62ccb0',
    edge: '#62ccb0',
    link: '#62ccb0',
  });
});

test('the grounds are those of the stylesheet', () => {
  const [light, dark] = readFileSync(join(import.meta.dirname, 'styles/base.css'), 'utf8').split('@media');
  for (const [text, { grounds }] of [
    [light!, PALETTES.light],
    [dark!, PALETTES.dark],
  ] as const) {
    const named = ['paper', 'card', 'sunken'].map(
      (name) => new RegExp(`--${name}: (#[0-9a-f]+);`).exec(text)![1]!,
    );
    expect(named.map((color) => (color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color))).toEqual(
      grounds,
    );
  }
});
