/** Digits as keyboards of other scripts type them, as 0 to 9; Arabic decimal and thousands signs as a point and a comma. */
export function typedFigures(text: string): string {
  return text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.codePointAt(0)! % 16))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',');
}
