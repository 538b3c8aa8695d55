/** Our policy only allows style elements with this nonce; a part of Mantine reads it from this global name. */
export const styleNonce = document
  .querySelector<HTMLMetaElement>('meta[name="florin-style-nonce"]')!
  .content.trim();

(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
