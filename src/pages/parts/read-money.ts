/** Two digits after either sign are cents in every language, because no one groups by two. */
const PLAIN = /^(\d{1,15})(?:[.,](\d{1,2}))?$/;
/** Groups of three are only clear with cents behind the other sign: 1,250 is a thousand to some and a bit to others. */
const GROUPED = /^(\d{1,3}(?:,\d{3}){1,4})\.(\d{2})$|^(\d{1,3}(?:\.\d{3}){1,4}),(\d{2})$/;

/**
 * Reads dollars that a buyer typed: 12, 12.50, 12,5, 1,234.50, 1.234,50; undefined if it is no amount, or could be
 * two.
 */
export function readMoney(text: string): bigint | undefined {
  const plain = plainDigits(text);
  const match = PLAIN.exec(plain) ?? GROUPED.exec(plain);
  if (!match) return undefined;
  const [whole, cents = ''] = match.slice(1).filter((part) => part !== undefined) as [string, string?];
  return BigInt(whole.replace(/[.,]/g, '')) * 100n + BigInt(cents.padEnd(2, '0'));
}

/** A thousand to some, and a bit to others: only the buyer can say which. */
export function isAmbiguous(text: string): boolean {
  return /^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(plainDigits(text));
}

function plainDigits(text: string): string {
  return text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.codePointAt(0)! % 16))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replace(/\s|\p{Cf}|US\$|\$US|\$|USDC?/giu, '');
}
