import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { CODE_OPERATORS, type SyntaxNode } from './code-operators.ts';
import type { Edit, Mutant } from './mutant.ts';
import { isSql, MIGRATION_OPERATORS, SQL_OPERATORS, type SqlOperator } from './sql-operators.ts';
import { siblingsIn, statusLists } from './statuses.ts';

type Planted = Edit & { operator: string };

/** Every bug that can be planted in `files`, in the order of the files and of the places in them. */
export function findMutants(root: string, files: readonly string[]): Mutant[] {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const lists = statusLists(sources);
  return files.flatMap((file) => mutantsOf(file, sources.get(file)!, siblingsIn(lists, file)));
}

export function mutantsOf(
  file: string,
  source: string,
  siblingsOf: (word: string) => readonly string[] = () => [],
): Mutant[] {
  const planted = file.endsWith('.sql')
    ? plantInSql(MIGRATION_OPERATORS, source, 0, siblingsOf)
    : plantInCode(file, source, siblingsOf);
  return planted
    .map((edit) => ({
      ...edit,
      file,
      line: source.slice(0, edit.start).split('\n').length,
      before: source.slice(edit.start, edit.end),
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.operator < b.operator ? -1 : 1));
}

function plantInCode(
  file: string,
  source: string,
  siblingsOf: (word: string) => readonly string[],
): Planted[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  const planted: Planted[] = [];
  walk(program as unknown as SyntaxNode, undefined, (node, parent) => {
    const text = sqlIn(node, source);
    for (const { at, sql } of text) planted.push(...plantInSql(SQL_OPERATORS, sql, at, siblingsOf));
    if (text.length > 0) return;
    for (const [operator, edit] of Object.entries(CODE_OPERATORS))
      planted.push(...edit({ node, parent, source, siblingsOf }).map((one) => ({ ...one, operator })));
  });
  return planted;
}

function plantInSql(
  operators: Record<string, SqlOperator>,
  sql: string,
  at: number,
  siblingsOf: (word: string) => readonly string[],
): Planted[] {
  return Object.entries(operators).flatMap(([operator, edit]) =>
    edit(sql, siblingsOf).map(({ start, end, text }) => ({
      start: start + at,
      end: end + at,
      text,
      operator,
    })),
  );
}

/** The pieces of SQL between the placeholders of a template, or a whole string, with their places in the file. */
function sqlIn(node: SyntaxNode, source: string): { at: number; sql: string }[] {
  const isString = node.type === 'Literal' && typeof node.value === 'string';
  if (!isString && node.type !== 'TemplateLiteral') return [];
  if (!isSql(source.slice(node.start + 1, node.end - 1))) return [];
  if (isString) return [{ at: node.start + 1, sql: source.slice(node.start + 1, node.end - 1) }];
  return node.quasis.map((piece: SyntaxNode) => {
    const at = source.indexOf(piece.value.raw, piece.start);
    return { at, sql: piece.value.raw };
  });
}

/** Calls `visit` for every node that runs: types are left out. */
function walk(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
): void {
  if (node.type.startsWith('TS')) {
    // `a as B` runs as `a`.
    if (isNode(node.expression)) walk(node.expression, parent, visit);
    return;
  }
  if (node.type === 'ImportDeclaration') return;
  visit(node, parent);
  for (const [field, value] of Object.entries(node)) {
    if (field === 'typeAnnotation') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node, visit);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof (value as SyntaxNode | null)?.type === 'string' && 'start' in (value as object);
}
