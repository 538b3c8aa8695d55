import { type Html, html } from '../../platform/http/html.ts';

/** Signs by which a payer recognizes what is named beside them; drawn here, so that no page loads anybody's logo. */

/** USDC: a coin. */
export const coinMark: Html = html`<svg class="mark coin" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="16"/><path d="M20.6 12.4c-.4-1.8-2-2.9-4.5-2.9-2.6 0-4.3 1.3-4.3 3.2 0 4.5 9 2 9 6.7 0 2-1.8 3.3-4.7 3.3-2.7 0-4.5-1.2-4.9-3.1M16 6.7v2.8m0 13.2v2.6"/></svg>`;

/** The Solana network: three bars. */
export const networkMark: Html = html`<svg class="mark network" viewBox="0 0 32 32" aria-hidden="true"><path d="M10 7h17l-4 4.6H6zM6 13.7h17l4 4.6H10zm4 6.7h17L23 25H6z"/></svg>`;

/** A wallet app: the first letter of its name. */
export function walletMark(name: string): Html {
  return html`<span class="mark wallet" aria-hidden="true">${name.charAt(0)}</span>`;
}
