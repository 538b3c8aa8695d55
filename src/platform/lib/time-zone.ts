/** True if it is the name of a time zone, such as Europe/Berlin. A bare offset is none. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return !/^[+-]/.test(text);
  } catch {
    return false;
  }
}
