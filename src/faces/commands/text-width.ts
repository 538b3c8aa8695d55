const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const TWO_WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;

const widthOf = (character: string) => (NO_WIDTH.test(character) ? 0 : TWO_WIDE.test(character) ? 2 : 1);

/** How many columns a text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

export function padText(text: string, width: number, isRight = false): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isRight ? space + text : text + space;
}

/** Cut to `width` columns, and seen to be. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const character of text) {
    used += widthOf(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Text of others, which must not move the cursor or recolour a terminal. */
export function plainText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}
