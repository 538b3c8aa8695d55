/** Control and format characters, those that are shown as nothing, and the blank pattern of Braille. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True if it has no visible characters. */
export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, '').trim() === '';
}
