/**
 * Foreign text as the database can store it: PostgreSQL refuses NUL, and half a surrogate pair is not a character.
 */
export function storableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed();
}
