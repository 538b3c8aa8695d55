/** Foreign text as the database can hold it: PostgreSQL takes no NUL, and half a surrogate pair is no character. */
export function storableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed();
}
