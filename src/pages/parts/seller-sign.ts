import { imagePath } from '../../accounts/images/image-url.ts';
import { type Html, html } from '../../platform/http/html.ts';

/** Sign of the seller: the name, next to the logo or else its first letter in the merchant's colour. */
export function sellerSign(name: string, logoFile: string | null): Html {
  return html`<p class="seller">${logoFile === null ? letterOf(name) : logoOf(logoFile)}<bdi class="merchant">${name}</bdi></p>`;
}

/** Logo without alternative text: the name is next to it. */
function logoOf(logoFile: string): Html {
  return html`<img class="seller-logo" src="${imagePath(logoFile)}" alt="">`;
}

function letterOf(name: string): Html {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return html`<span class="seller-sign" aria-hidden="true">${first?.segment.toUpperCase()}</span>`;
}
