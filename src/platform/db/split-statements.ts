/** A comment, a quoted text or name, a dollar-quoted body, the end of a statement, or anything else. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[a-z_]*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/gi;

/** The statements of a file, without the comments between them. */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') statements.push('');
    else statements[statements.length - 1] += /^(--|\/\*)/.test(token) ? ' ' : token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** The statement for recognizing what it does: small letters, single spaces, nothing inside its quotes. */
export function outlineOf(statement: string): string {
  return [...statement.matchAll(TOKEN)]
    .map(([token]) => (/^'|^\$[a-z_]*\$/i.test(token) && token.length > 1 ? "''" : token.toLowerCase()))
    .join('')
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `a, b (c, d)` in two: at the commas that no bracket surrounds. */
export function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
