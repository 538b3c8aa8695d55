import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { extractImages, extractText, extractTextItems, getDocumentProxy } from 'unpdf';

/** The text of each page, as a PDF reader that is not ours sees it. */
export async function readPdf(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await open(bytes), { mergePages: false });
  return text;
}

/** Returns each piece of text with its place on the page, in points from the lower left corner. */
export async function readPdfItems(bytes: Uint8Array) {
  const { items } = await extractTextItems(await open(bytes));
  return items.map((page) => page.filter((item) => item.str.trim() !== ''));
}

/** The reader keeps the bytes it is given, so it gets a copy. */
function open(bytes: Uint8Array) {
  return getDocumentProxy(Uint8Array.from(bytes));
}

/** Returns the links of each page. */
export async function readPdfLinks(bytes: Uint8Array): Promise<string[][]> {
  const document = await open(bytes);
  const pages = Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1));
  return Promise.all(
    pages.map(async (page) => {
      const annotations = await (await page).getAnnotations();
      return annotations.map(({ url }) => url as string);
    }),
  );
}

/** Reads the code on a page as a phone does that scans it: from the drawn squares. */
export function scanPdf(bytes: Uint8Array): string | undefined {
  const drawn = contentsOf(bytes).find((content) => / re\b(?: -?[\d.]+){4} re\b/.test(content));
  const path = drawn?.split('\n').find((operator) => / re .* re /.test(operator));
  if (!path) return undefined;
  const boxes = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re/g)].map((match) =>
    match.slice(1).map(Number),
  );
  const unit = boxes[0]![3]!;
  const left = Math.min(...boxes.map(([x]) => x!));
  const top = Math.max(...boxes.map(([, y]) => y!));
  const quiet = 4;
  const scale = 4;
  const squares = Math.round((top - Math.min(...boxes.map(([, y]) => y!))) / unit) + 1;
  const side = (squares + quiet * 2) * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [x, y, width] of boxes) {
    const row = Math.round((top - y!) / unit) + quiet;
    const column = Math.round((x! - left) / unit) + quiet;
    for (let down = row * scale; down < (row + 1) * scale; down++)
      for (let at = column * scale; at < (column + Math.round(width! / unit)) * scale; at++)
        data.fill(0, (down * side + at) * 4, (down * side + at) * 4 + 3);
  }
  return decodeQR({ width: side, height: side, data });
}

/** Everything in the file that is packed, as text. */
function contentsOf(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes).toString('latin1');
  return [...file.matchAll(/\/Length (\d+) >>\nstream\n/g)].flatMap(({ index, 0: head, 1: length }) => {
    const start = index + head.length;
    try {
      return inflateSync(Buffer.from(file.slice(start, start + Number(length)), 'latin1')).toString('latin1');
    } catch {
      return [];
    }
  });
}

/** The images of the first page, with their pixels. */
export async function readPdfImages(bytes: Uint8Array) {
  return extractImages(await open(bytes), 1);
}
