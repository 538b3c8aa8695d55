/** Text that cannot end a line, hide, or change the direction of the text around it. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
