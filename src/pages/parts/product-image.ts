import { imagePath } from '../../accounts/images/image-url.ts';
import { type Html, html } from '../../platform/http/html.ts';

/** Image without alternative text: the product's name is next to it. Undefined if there is none. */
export function productImage(
  imageFile: string | null | undefined,
  size: 'small' | 'large',
): Html | undefined {
  if (!imageFile) return undefined;
  return html`<img class="product-image ${size}" src="${imagePath(imageFile)}" alt="">`;
}
