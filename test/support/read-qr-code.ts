import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';

/** Reads the code in the picture as a phone would. */
export async function readQrCode(page: Page): Promise<string> {
  const side = 300;
  const dots = await page.evaluate<string>(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${side}, height: ${side} });
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, ${side}, ${side});
    context.drawImage(document.querySelector('main img'), 0, 0, ${side}, ${side});
    const { data } = context.getImageData(0, 0, ${side}, ${side});
    return Array.from({ length: data.length / 4 }, (_, at) => (data[at * 4] < 128 ? '#' : ' ')).join('');
  })()`);
  const data = new Uint8Array(
    [...dots].flatMap((dot) => (dot === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255])),
  );
  return decodeQR({ width: side, height: side, data });
}
