import { expect, test } from 'vitest';
import { jpeg, png, webp } from '../../../test/support/images.ts';
import { readPdf, readPdfImages } from '../../../test/support/read-pdf.ts';
import { sampleInvoice } from '../../../test/support/sample-invoice.ts';
import { renderInvoicePdf } from './render-invoice-pdf.ts';

const printed = (bytes: Buffer, { width = 24, height = 16, kind = 'png' } = {}) =>
  renderInvoicePdf(
    sampleInvoice({ logo: { bytes, width, height, isPng: kind === 'png', isJpeg: kind === 'jpg' } }),
  );

const palette: [string, Buffer] = ['PLTE', Buffer.from([0, 0, 0, 10, 20, 30])];

test.each([
  ['RGB', png({ pixel: [10, 20, 30] }), [10, 20, 30]],
  ['RGB of 16 bits', png({ depth: 16, pixel: [10 << 8, 20 << 8, 30 << 8] }), [10, 20, 30]],
  ['grey', png({ colorType: 0, pixel: [77] }), [77, 77, 77]],
  ['grey of 4 bits', png({ colorType: 0, depth: 4, pixel: [5] }), [85, 85, 85]],
  ['grey of 1 bit', png({ colorType: 0, depth: 1, pixel: [1] }), [255, 255, 255]],
  ['palette', png({ colorType: 3, pixel: [1], chunks: [palette] }), [10, 20, 30]],
  ['palette of 2 bits', png({ colorType: 3, depth: 2, pixel: [1], chunks: [palette] }), [10, 20, 30]],
  ['opaque RGBA', png({ colorType: 6, pixel: [10, 20, 30, 255] }), [10, 20, 30]],
  ...[1, 2, 3, 4].map((filter) => {
    return [`filter ${filter}`, png({ filter, pixel: [10, 200, 30] }), [10, 200, 30]] as const;
  }),
] as const)('a PNG in %s is printed in its colours', async (_kind, bytes, [red, green, blue]) => {
  const [image] = await readPdfImages(await printed(bytes));
  expect(image).toMatchObject({ width: 24, height: 16, channels: 3 });
  for (let at = 0; at < 24 * 16 * 3; at += 3)
    expect([...image!.data.subarray(at, at + 3)]).toEqual([red, green, blue]);
});

test.each([
  ['RGBA', png({ colorType: 6, pixel: [10, 20, 30, 128] })],
  ['grey with alpha', png({ colorType: 4, pixel: [10, 128] })],
  [
    'a palette with transparency',
    png({ colorType: 3, pixel: [1], chunks: [palette, ['tRNS', Buffer.from([255, 128])]] }),
  ],
])('what shines through in %s, shines through on paper', async (_kind, bytes) => {
  const [image] = await readPdfImages(await printed(bytes));
  expect(image!.channels).toBe(4);
  expect(image!.data[3]).toBe(128);
});

test('more pixels than paper shows are not printed', async () => {
  const bytes = png({ width: 1024, height: 512, colorType: 6, pixel: [10, 20, 30, 128] });
  const pdf = await printed(bytes, { width: 1024, height: 512 });
  const [image] = await readPdfImages(pdf);
  expect(image!.width).toBeLessThan(700);
  expect([...image!.data.subarray(0, 4)]).toEqual([10, 20, 30, 128]);
});

test('a JPEG is printed as it came', async () => {
  const bytes = jpeg();
  const pdf = await printed(bytes, { kind: 'jpg' });
  expect(Buffer.from(pdf).includes(bytes)).toBe(true);
  expect(await readPdfImages(pdf)).toMatchObject([{ width: 24, height: 16 }]);
});

test.each([
  ['WebP', webp(), 'webp'],
  ['a PNG of more than a million pixels', png({ width: 2048, height: 513, colorType: 0, pixel: [9] }), 'png'],
  ['a JPEG in print colours', jpeg({ components: 4 }), 'jpg'],
  ['an interlaced PNG', png({ interlace: 1 }), 'png'],
  ['a PNG whose pixels are broken', broken(), 'png'],
  ['a PNG with one transparent colour', png({ chunks: [['tRNS', Buffer.alloc(6)]] }), 'png'],
  ['a PNG with a palette that is not there', png({ colorType: 3, pixel: [0] }), 'png'],
])('%s is left out, and the invoice says the same', async (_kind, bytes, kind) => {
  const pdf = await printed(bytes, { kind });
  expect(await readPdfImages(pdf)).toEqual([]);
  expect(await readPdf(pdf)).toEqual(await readPdf(await renderInvoicePdf(sampleInvoice())));
});

function broken(): Buffer {
  const bytes = png();
  bytes.fill(0xff, bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8);
  return bytes;
}

test('with a logo the invoice says the same, the issuer under it', async () => {
  const lines = (await readPdf(await printed(png()))).join('\n').split('\n');
  expect(lines).toContain('Nordlicht Audio GmbH');
  const plain = (await readPdf(await renderInvoicePdf(sampleInvoice()))).join('\n').split(/\s+/);
  expect(lines.join(' ').split(/\s+/).sort()).toEqual(plain.sort());
});
