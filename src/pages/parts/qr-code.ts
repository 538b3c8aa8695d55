import encodeQR from 'qr';
import { type Html, html } from '../../platform/http/html.ts';

/** The white rim that readers need. */
const QUIET = 3;

/** A QR code as one path. Dark on white in every colour scheme: many readers want it so. */
export function qrCode(text: string, label: string): Html {
  const { size, path } = qrPath(text);
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path class="qr-paper" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

/** The dark squares of a QR code, for a page that draws it. */
export function qrPath(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { border: QUIET, ecc: text.length > 200 ? 'low' : 'medium' });
  return { size: rows.length, path: pathOf(rows) };
}

/** Each run of dark squares in a row is one flat box. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      let end = x;
      while (row[end + 1]) end++;
      path += `M${x} ${y}h${end - x + 1}v1H${x}z`;
      x = end;
    }
  }
  return path;
}
