import * as harfbuzz from 'harfbuzzjs';
import { expect, test } from 'vitest';
import { openParagraph, shapeLine, visualOrder } from './shape-text.ts';

const shape = async (text: string) => shapeLine(harfbuzz, await openParagraph(text), 400);
const glyphsOf = async (text: string) => (await shape(text)).runs.flatMap(({ run }) => run.glyphs);

test.each([
  ['Latin', 'Grüße, naïve œuvre, Tiếng Việt'],
  ['Cyrillic', 'Подписка за ноябрь, Київ'],
  ['Greek', 'Συνδρομή, ᾠδή'],
  ['Chinese', '专业版订阅服务费，专業版訂閱'],
  ['Japanese', '月額プラン（ご利用料金）'],
  ['Korean', '프로 요금제 이용료'],
  ['Arabic', 'اشتراك الخطة'],
  ['Hebrew', 'מנוי מקצועי שָׁלוֹם'],
  ['Thai', 'แผนโปรประจำเดือน'],
  ['Devanagari', 'क्षत्रिय की सदस्यता'],
  ['Bengali', 'প্রো প্ল্যান'],
  ['Tamil', 'தமிழ் கொள்'],
  ['Telugu, Gujarati, Gurmukhi', 'ప్రణాళిక યોજના ਯੋਜਨਾ'],
  ['Kannada, Malayalam, Sinhala', 'ಯೋಜನೆ പദ്ധതി සැලැස්ම'],
  ['Khmer, Lao, Myanmar', 'គម្រោង ແຜນ အစီအစဉ်'],
  ['Ethiopic, Georgian, Armenian', 'ዕቅድ გეგმა պլան'],
  ['emoji and symbols', '👩‍👩‍👧 🇩🇪 ❤️ 🎉 ✓ ★ → ₿'],
])('%s has a font for every letter', async (_script, text) => {
  const { pieces } = await openParagraph(text);
  expect(pieces.filter((piece) => piece.missing)).toEqual([]);
  expect((await glyphsOf(text)).filter((glyph) => glyph.id === 0)).toEqual([]);
});

test('Arabic letters are joined', async () => {
  const [alone] = await glyphsOf('ه');
  const joined = await glyphsOf('ههه');
  expect(new Set([alone!.id, ...joined.map((glyph) => glyph.id)]).size).toBe(4);
});

test('Chinese characters take the hand of the language around them', async () => {
  const fontOf = async (text: string) => (await shape(text)).runs.map(({ run }) => run.face.file.id);
  expect((await fontOf('直接'))[0]).toMatch(/-sc-/);
  expect((await fontOf('直す'))[0]).toMatch(/-jp-/);
  expect((await fontOf('直接 한국'))[0]).toMatch(/-kr-/);
});

test('a signature is drawn letter by letter: no x becomes a multiplication sign', async () => {
  const [, between] = await glyphsOf('5x7');
  const [alone] = await glyphsOf('x');
  expect(between!.id).toBe(alone!.id);
});

test('amounts of as many figures are as wide', async () => {
  const { width } = await shape('$1,111.11');
  expect((await shape('$8,080.80')).width).toBeCloseTo(width, 5);
});

test('right-to-left words start from the right, and numbers among them from the left', async () => {
  const { runs } = await shape('אב 12 גד');
  const places = runs.map(({ x }) => x);
  expect(places).toEqual(places.toSorted((a, b) => b - a));
  const number = runs.find(({ run }) => run.glyphs[0]!.text.startsWith('1'))!;
  expect(number.run.rightToLeft).toBe(false);
});

test.each([
  [
    [0, 0, 0],
    [0, 1, 2],
  ],
  [
    [1, 1, 1],
    [2, 1, 0],
  ],
  [
    [1, 2, 1],
    [2, 1, 0],
  ],
  [
    [1, 2, 2, 1],
    [3, 1, 2, 0],
  ],
  [
    [0, 1, 1, 0],
    [0, 2, 1, 3],
  ],
  [[], []],
])('levels %j are placed as %j', (levels, order) => {
  expect(visualOrder(levels)).toEqual(order);
});
