import type { Edit } from './mutant.ts';

/** A node of the syntax tree, read without its exact type: operators look at a few fields each. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tree has hundreds of shapes, and each operator names the one it wants.
  [field: string]: any;
}

export interface Place {
  node: SyntaxNode;
  parent: SyntaxNode | undefined;
  source: string;
  /** The other words a status may be. */
  siblingsOf(word: string): readonly string[];
}

export type CodeOperator = (place: Place) => Edit[];

const COMPARISONS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const EQUALITIES: Record<string, string> = { '===': '!==', '!==': '===' };
const SUMS: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '+=': '-=', '-=': '+=' };
const LOGIC: Record<string, string> = { '&&': '||', '||': '&&' };

const GUARDING_CALL = /^(refuse|require|check|ensure|forbid|verify)[A-Z]/;
/** A constant whose value is a rule. The size of a batch is not: nobody could tell it from one more. */
const MEASURED = /_(MS|SECONDS|MINUTES|HOURS|DAYS|CENTS|UNITS|ATTEMPTS|INT64|LENGTH|PERCENT)$|^MAX_/;

export const CODE_OPERATORS: Record<string, CodeOperator> = {
  comparison: (place) => withOperator(place, 'BinaryExpression', COMPARISONS),
  equality: (place) => withOperator(place, 'BinaryExpression', EQUALITIES),
  arithmetic: (place) => [
    ...(isText(place.node.left) || isText(place.node.right)
      ? []
      : withOperator(place, 'BinaryExpression', SUMS)),
    ...withOperator(place, 'AssignmentExpression', SUMS),
  ],
  logic: (place) => withOperator(place, 'LogicalExpression', LOGIC),
  'nullish side': ({ node, source }) =>
    node.type === 'LogicalExpression' && node.operator === '??' ? [become(node, node.right, source)] : [],
  negation: ({ node, source }) =>
    node.type === 'UnaryExpression' && node.operator === '!' ? [become(node, node.argument, source)] : [],
  guard: ({ node }) => (isExitBy(node, ['ThrowStatement']) || isGuardingCall(node) ? [remove(node)] : []),
  'early exit': ({ node }) =>
    isExitBy(node, ['ReturnStatement', 'ContinueStatement']) ? [remove(node)] : [],
  scope: scopeEdits,
  constant: ({ node, parent }) => (isRuleNumber(node, parent) ? [oneMore(node)] : []),
  status: ({ node, parent, siblingsOf }) =>
    typeof node.value === 'string' && node.type === 'Literal' && isStatusPlace(node, parent)
      ? siblingsOf(node.value)
          .slice(0, 1)
          .map((word) => ({ start: node.start, end: node.end, text: `'${word}'` }))
      : [],
  // Removes the statement as a whole: a connection runs its statements in order, so without its `await` alone the
  // lock would still come first.
  lock: ({ node }) =>
    node.type === 'ExpressionStatement' &&
    node.expression.type === 'AwaitExpression' &&
    /lock/i.test(calledName(node.expression.argument))
      ? [remove(node)]
      : [],
};

/** The same operands around another operator, in parentheses: `a && b || c` must stay grouped as it was. */
function withOperator({ node, source }: Place, type: string, others: Record<string, string>): Edit[] {
  const other = node.type === type ? others[node.operator] : undefined;
  if (other === undefined) return [];
  const [left, right] = [
    source.slice(node.left.start, node.left.end),
    source.slice(node.right.start, node.right.end),
  ];
  const text = `${left} ${other} ${right}`;
  return [{ start: node.start, end: node.end, text: type === 'LogicalExpression' ? `(${text})` : text }];
}

function isText(node: SyntaxNode | undefined): boolean {
  return node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node.value === 'string');
}

function become(node: SyntaxNode, part: SyntaxNode, source: string): Edit {
  return { start: node.start, end: node.end, text: source.slice(part.start, part.end) };
}

function remove({ start, end }: SyntaxNode): Edit {
  return { start, end, text: ';' };
}

function isExitBy(node: SyntaxNode, exits: readonly string[]): boolean {
  if (node.type !== 'IfStatement' || node.alternate) return false;
  const body: SyntaxNode = node.consequent;
  const last: SyntaxNode | undefined = body.type === 'BlockStatement' ? body.body.at(-1) : body;
  return last !== undefined && exits.includes(last.type);
}

function isGuardingCall(node: SyntaxNode): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const { expression } = node;
  return GUARDING_CALL.test(
    calledName(expression.type === 'AwaitExpression' ? expression.argument : expression),
  );
}

function calledName(node: SyntaxNode): string {
  if (node.type !== 'CallExpression') return '';
  return node.callee.name ?? node.callee.property?.name ?? '';
}

/** A route that asks for one scope less, for no owner, or for no fresh confirmation. */
function scopeEdits({ node, source }: Place): Edit[] {
  if (node.type !== 'Property' || node.computed) return [];
  const { key, value } = node;
  if (['ownerOnly', 'stepUp'].includes(key.name) && value.value === true)
    return [{ start: value.start, end: value.end, text: 'false' }];
  if (key.name !== 'scopes' || value.type !== 'ArrayExpression') return [];
  const elements: SyntaxNode[] = value.elements;
  return elements.map((dropped) => {
    const kept = elements.filter((one) => one !== dropped).map((one) => source.slice(one.start, one.end));
    return { start: value.start, end: value.end, text: `[${kept.join(', ')}]` };
  });
}

function isRuleNumber(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const isNumber = node.type === 'Literal' && (typeof node.value === 'number' || 'bigint' in node);
  if (!isNumber || parent === undefined) return false;
  if (parent.type === 'BinaryExpression') return true;
  if (parent.type === 'VariableDeclarator') return 'bigint' in node || MEASURED.test(parent.id.name ?? '');
  return 'bigint' in node && parent.type !== 'AssignmentPattern';
}

function oneMore({ start, end, raw }: SyntaxNode): Edit {
  const digits = raw.replaceAll('_', '');
  const text = digits.endsWith('n') ? `${BigInt(digits.slice(0, -1)) + 1n}n` : String(Number(digits) + 1);
  return { start, end, text };
}

/** True if a status is compared, written or passed on here, not declared in the list of them. */
function isStatusPlace(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'Property') return parent.value === node;
  return ['BinaryExpression', 'ConditionalExpression', 'ReturnStatement', 'ArrowFunctionExpression'].includes(
    parent.type,
  );
}
