/** The only style elements our policy takes are those that carry it; a part of Mantine asks for it by this global name. */
export const styleNonce = document
  .querySelector<HTMLMetaElement>('meta[name="florin-style-nonce"]')!
  .content.trim();

(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
