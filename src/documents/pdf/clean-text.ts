/** Marks stacked past this would climb over the lines above; no language needs as many on one letter. */
const tooManyMarks = /(\p{M}{8})\p{M}+/gu;

/**
 * Text from outside, made printable: composed, on one line, without invisible characters. Direction overrides are
 * removed because they let "100" read as "001"; the direction of a text comes from its letters alone.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu, '')
    .replace(/[\s\u0085]+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(tooManyMarks, '$1')
    .trim();
}
