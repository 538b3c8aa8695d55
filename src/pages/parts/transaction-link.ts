import { type Html, html } from '../../platform/http/html.ts';

/** Anybody can look a transaction up on a public chain; the sandbox's is nobody's but ours. */
export function transactionLink(signature: string, network: 'mainnet' | 'devnet' | 'sandbox'): Html {
  const short = html`<code dir="ltr">${signature.slice(0, 6)}…${signature.slice(-6)}</code>`;
  if (network === 'sandbox') return short;
  const cluster = network === 'devnet' ? '?cluster=devnet' : '';
  return html`<a href="https://explorer.solana.com/tx/${signature}${cluster}" rel="noreferrer">${short}</a>`;
}
