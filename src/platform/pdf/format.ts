/** Exact at any size: `$1,234.56`, `-$0.05`. */
export function formatUsd(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}$${groupThousands(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

export function formatCount(count: bigint): string {
  return count < 0n ? `-${groupThousands((-count).toString())}` : groupThousands(count.toString());
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The day in UTC, with the month as a word: 03/04 is read two ways. */
export function formatDay(date: Date): string {
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

export function formatPeriod(start: Date | null, end: Date | null): string {
  if (start && end) return `${formatDay(start)} \u2013 ${formatDay(end)}`;
  if (start) return `From ${formatDay(start)}`;
  return end ? `Until ${formatDay(end)}` : '';
}
