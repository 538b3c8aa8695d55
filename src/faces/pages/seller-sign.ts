import { type Html, html } from '../../platform/http/html.ts';

/** Who is paid: the name, with its first letter as a sign in the merchant's colour. */
export function sellerSign(name: string): Html {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return html`<p class="seller"><span class="seller-sign" aria-hidden="true">${first?.segment.toUpperCase()}</span><bdi class="merchant">${name}</bdi></p>`;
}
