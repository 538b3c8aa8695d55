import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals secrets before they reach the database (AES-256-GCM), so that a stolen dump gives none away. */
export interface SecretBox {
  seal(plain: string): Buffer;
  open(sealed: Buffer): string;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function secretBox(key: Buffer): SecretBox {
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      if (sealed[0] !== VERSION) throw new Error('sealed secret has an unknown version');
      const tagAt = 1 + NONCE_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, tagAt), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
      return decipher.update(sealed.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
