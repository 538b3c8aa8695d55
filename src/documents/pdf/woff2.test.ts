import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as harfbuzz from 'harfbuzzjs';
import { expect, test } from 'vitest';
import { readWoff2 } from './woff2.ts';

const packages = dirname(
  dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/unicode.json'))),
);

async function openFont(file: string) {
  const face = new harfbuzz.Face(new harfbuzz.Blob(await readWoff2(readFileSync(join(packages, file)))));
  return { face, font: new harfbuzz.Font(face) };
}

test('a letter has the outline it was drawn with, at every weight', async () => {
  const { font } = await openFont('inter/files/inter-latin-wght-normal.woff2');
  const bar = font.nominalGlyph('l'.codePointAt(0)!)!;
  const corners = () => new Set(font.glyphToPath(bar).match(/-?\d+,-?\d+/g)).size;
  expect(corners()).toBe(4);
  const regular = font.glyphExtents(bar)!;
  expect(regular.height).toBe(-1490);
  font.setVariations([new harfbuzz.Variation('wght', 600)]);
  expect(corners()).toBe(4);
  expect(font.glyphExtents(bar)!.width).toBeGreaterThan(regular.width);
});

test('every font in use can be read, and the boxes of its glyphs hold their outlines', async () => {
  for (const family of readdirSync(packages)) {
    const files = readdirSync(join(packages, family, 'files')).filter((file) =>
      file.includes('-wght-normal'),
    );
    const { face, font } = await openFont(join(family, 'files', files.at(-1)!));
    const glyf = Buffer.from(face.referenceTable('glyf')!);
    const loca = Buffer.from(face.referenceTable('loca')!);
    const characters = [...face.collectUnicodes()];
    expect(characters.length).toBeGreaterThan(10);
    for (const character of characters.slice(0, 50)) {
      const glyph = font.nominalGlyph(character)!;
      const [start, end] = [loca.readUInt32BE(glyph * 4), loca.readUInt32BE(glyph * 4 + 4)];
      const box = font.glyphExtents(glyph)!;
      if (start === end) continue;
      expect({ family, character, left: box.xBearing, top: box.yBearing }).toEqual({
        family,
        character,
        left: glyf.readInt16BE(start + 2),
        top: glyf.readInt16BE(start + 8),
      });
    }
  }
});

test('another kind of file is refused', async () => {
  await expect(readWoff2(Buffer.from('wOFF and more'))).rejects.toThrow('not a WOFF2 file');
});
