import type { Edit } from './mutant.ts';

export type SqlOperator = (sql: string, siblingsOf: (word: string) => readonly string[]) => Edit[];

const COMPARISONS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

export const SQL_OPERATORS: Record<string, SqlOperator> = {
  // The parameter stays, with its type: without it PostgreSQL would refuse the statement.
  'sql merchant': (sql) =>
    edits(
      sql,
      /(?:\w+\.)?merchant_id = (\$\d+)(?=\s+and\b|\s*$|\s*\)|\s+\w+ by\b)/g,
      ([, parameter]) => `${parameter}::uuid is not null`,
    ),
  'sql lock': (sql) =>
    edits(sql, /\bfor (?:no key |key )?(?:update|share)(?: of \w+)?(?: skip locked)?/g, () => ''),
  'sql comparison': (sql) => edits(sql, /(?<= )(?:<=|>=|<|>)(?= )/g, ([sign]) => COMPARISONS[sign]!),
  'sql null': (sql) =>
    edits(sql, /\bis (?:not )?null\b/g, ([test]) => (test === 'is null' ? 'is not null' : 'is null')),
  'sql arithmetic': (sql) =>
    edits(sql, /(?<=[\w)] )[+-](?= [\w($])/g, ([sign]) => (sign === '+' ? '-' : '+')),
  'sql status': (sql, siblingsOf) =>
    edits(sql, /(?<=[=(,>] ?)'([a-z_]+)'/g, ([, word]) => {
      const [other] = siblingsOf(word!);
      return other === undefined ? undefined : `'${other}'`;
    }),
};

/** Operators for migrations: a check becomes one that holds whatever the row says. */
export const MIGRATION_OPERATORS: Record<string, SqlOperator> = {
  'sql check': (sql) => {
    const found: Edit[] = [];
    for (const match of sql.matchAll(/\bcheck \(/g)) {
      const start = match.index + match[0].length;
      const end = closingParenthesis(sql, start);
      if (end !== undefined) found.push({ start, end, text: 'true' });
    }
    return found;
  },
};

/** Statements and the pieces they are put together from; never a sentence for people. */
export function isSql(text: string): boolean {
  if (/^\s*[A-Z]/.test(text)) return false;
  return /\bselect\b[\s\S]*\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate\b[\s\S]*\bset\b|\bwhere\b|= \?|[=<>] \$\d/.test(
    text,
  );
}

function edits(
  sql: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | undefined,
): Edit[] {
  return [...sql.matchAll(pattern)].flatMap((match) => {
    const text = replace(match);
    return text === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, text }];
  });
}

function closingParenthesis(sql: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === '(') depth++;
    else if (sql[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}
