import { extractImages, extractText, extractTextItems, getDocumentProxy } from 'unpdf';

/** The text of each page, as a PDF reader that is not ours sees it. */
export async function readPdf(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await open(bytes), { mergePages: false });
  return text;
}

/** Where each piece of text is on its page, in points from the lower left corner. */
export async function readPdfItems(bytes: Uint8Array) {
  const { items } = await extractTextItems(await open(bytes));
  return items.map((page) => page.filter((item) => item.str.trim() !== ''));
}

/** The reader keeps the bytes it is given, so it gets a copy. */
function open(bytes: Uint8Array) {
  return getDocumentProxy(Uint8Array.from(bytes));
}

/** The images of the first page, with their pixels. */
export async function readPdfImages(bytes: Uint8Array) {
  return extractImages(await open(bytes), 1);
}
