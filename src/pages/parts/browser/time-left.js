const DAY_SECONDS = 24 * 3_600;

/**
 * `59:42`, `23:59:42`, and from a day on `8 days, 3 hours`: nobody counts in hundreds of hours.
 * @param {number} seconds
 * @param {string} language
 */
export function timeLeft(seconds, language) {
  const hours = Math.floor(seconds / 3_600);
  if (seconds >= DAY_SECONDS) return inDays(hours, language);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':');
}

/**
 * @param {number} hours
 * @param {string} language
 */
function inDays(hours, language) {
  const locale = `${language}-u-nu-latn`;
  /** @param {number} count @param {'day' | 'hour'} unit */
  const text = (count, unit) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  const parts = [text(Math.floor(hours / 24), 'day'), ...(hours % 24 > 0 ? [text(hours % 24, 'hour')] : [])];
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(parts);
}
