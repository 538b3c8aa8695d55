import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Takes what mail servers take, as people write it: dot-separated words, one @, and a domain with a dot. Letters of any
 * script may be on either side, so `jörg@müller.example` is one. A domain has one spelling, but for the case of A to Z: what is mailed to the
 * same place in another (full-width letters, capitals beyond A to Z, the `xn--` form) would be somebody else's address here. Quotes, comments, angle brackets, IP addresses and
 * characters that cannot be seen are refused: nobody's address has them, and what prints an address may read them
 * otherwise. So is an accent apart from its letter: it looks the same as the two in one.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || !text.isWellFormed() || /\p{Default_Ignorable_Code_Point}/u.test(text))
    return false;
  if (text !== text.normalize('NFC')) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && local.length <= MAX_LOCAL && LOCAL.test(local) && isDomain(text.slice(at + 1));
}

const MAX_LENGTH = 254;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

const WORD = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${WORD}(?:\\.${WORD})*$`, 'u');

/** Written with any script's letters. */
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,}$/u;

function isDomain(text: string): boolean {
  if (!DOMAIN.test(text) || /\.[0-9]+$/.test(text)) return false;
  const ascii = domainToASCII(text);
  if (domainToUnicode(ascii) !== text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())) return false;
  return ascii !== '' && ascii.length <= MAX_DOMAIN && ascii.split('.').every(({ length }) => length <= 63);
}
