import { loadModule, parseSync } from 'libpg-query';

await loadModule();

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree as PostgreSQL's own parser makes it
type Tree = any;

/** Something that rows come from, in one place of a statement. */
interface Source {
  name: string;
  alias: string;
  /** The column that says whose a row is: of a merchant's table, and of merchants themselves. */
  owner: 'merchant_id' | 'id' | undefined;
  /** Sources of the rows of a subquery, a common table expression or a function. */
  inner: Source[] | undefined;
  isBound: boolean;
}

interface Scope {
  sources: Source[];
  named: Map<string, Source[]>;
  outer: Scope | undefined;
}

export interface Schema {
  /** Names of tables whose rows belong to merchants. */
  tenants: ReadonlySet<string>;
  /** Columns by table that find a single row without its merchant. */
  directory: ReadonlyMap<string, readonly string[]>;
}

/**
 * Columns with the place of a row in PostgreSQL, or with its writer: names that no other database, and no other cell,
 * understands.
 */
const SYSTEM_COLUMNS = /^(ctid|xmin|xmax|cmin|cmax|tableoid)$/;
const SYSTEM_FUNCTIONS =
  /^(pg_current_xact_id|pg_current_snapshot|pg_snapshot_\w+|txid_\w+|nextval|currval)$/;

/**
 * Returns objections to a statement: tables of which it neither compares the merchant with a parameter nor with that
 * of a row whose merchant is given so, and names of rows that only this PostgreSQL understands.
 */
export function objectionsTo(text: string, schema: Schema): string[] {
  const judge = new Judge(schema);
  for (const { stmt } of parseSync(text).stmts as Tree[]) judge.query(stmt, undefined);
  return judge.objections();
}

class Judge {
  readonly #schema: Schema;
  readonly #all: Source[] = [];
  /** Sources, each with those that name its row. */
  readonly #derived: [Source, Source[]][] = [];
  readonly #strange = new Set<string>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  objections(): string[] {
    for (let before = -1; before !== this.#boundCount(); ) {
      before = this.#boundCount();
      for (const source of this.#all) source.isBound ||= source.inner?.every(isBound) ?? false;
      for (const [source, others] of this.#derived) source.isBound ||= others.every(isBound);
    }
    const unbound = this.#all.filter((source) => source.owner === 'merchant_id' && !source.isBound);
    return [...this.#strange, ...new Set(unbound.map(({ name }) => name))].toSorted();
  }

  #boundCount(): number {
    return this.#all.filter(isBound).length;
  }

  /** Returns what the rows of a query come from. */
  query(node: Tree, outer: Scope | undefined): Source[] {
    const [kind, stmt] = Object.entries(node)[0] as [string, Tree];
    const scope: Scope = { sources: [], named: new Map(), outer };
    for (const { CommonTableExpr: cte } of stmt.withClause?.ctes ?? []) {
      scope.named.set(cte.ctename, []);
      scope.named.set(cte.ctename, this.query(cte.ctequery, scope));
    }
    if (stmt.op && stmt.op !== 'SETOP_NONE')
      return [
        ...this.query({ SelectStmt: stmt.larg }, scope),
        ...this.query({ SelectStmt: stmt.rarg }, scope),
      ];
    // An inserted row names its merchant: the column allows no null.
    if (kind === 'InsertStmt') return stmt.selectStmt ? this.query(stmt.selectStmt, scope) : [];
    if (stmt.relation) this.#table(stmt.relation, scope);
    for (const item of [...(stmt.fromClause ?? []), ...(stmt.usingClause ?? [])]) this.#from(item, scope);
    this.#conditions(stmt.whereClause, scope);
    const { withClause, fromClause, usingClause, whereClause, relation, ...rest } = stmt;
    this.#subqueries(rest, scope);
    return scope.sources;
  }

  #add(scope: Scope, source: Omit<Source, 'isBound'>): Source {
    const added = { ...source, isBound: false };
    scope.sources.push(added);
    this.#all.push(added);
    return added;
  }

  #table({ relname: name, alias }: Tree, scope: Scope): Source {
    const called = alias?.aliasname ?? name;
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const inner = at.named.get(name);
      if (inner) return this.#add(scope, { name, alias: called, owner: undefined, inner });
    }
    const owner = name === 'merchants' ? 'id' : this.#schema.tenants.has(name) ? 'merchant_id' : undefined;
    return this.#add(scope, { name, alias: called, owner, inner: undefined });
  }

  /** Returns the sources of a part of a from clause. */
  #from(node: Tree, scope: Scope): Source[] {
    if (node.RangeVar) return [this.#table(node.RangeVar, scope)];
    if (node.RangeSubselect) {
      const { subquery, alias } = node.RangeSubselect;
      const inner = this.query(subquery, scope);
      return [this.#add(scope, { name: 'subquery', alias: alias?.aliasname, owner: undefined, inner })];
    }
    if (node.RangeFunction) {
      const { functions, alias } = node.RangeFunction;
      const inner = columnsIn(functions).flatMap((column) => this.#sourceOf(column, scope) ?? []);
      this.#subqueries(functions, scope);
      return [this.#add(scope, { name: 'function', alias: alias?.aliasname, owner: undefined, inner })];
    }
    if (!node.JoinExpr) return [];
    const { larg, rarg, usingClause, quals } = node.JoinExpr;
    const [left, right] = [this.#from(larg, scope), this.#from(rarg, scope)];
    if (usingClause?.some(({ String: { sval } }: Tree) => sval === 'merchant_id'))
      for (const one of left.filter(hasMerchant))
        for (const other of right.filter(hasMerchant)) this.#derived.push([one, [other]], [other, [one]]);
    this.#conditions(quals, scope);
    return [...left, ...right];
  }

  /** Only what must hold of every row: of alternatives, none may. */
  #conditions(node: Tree, scope: Scope): void {
    if (!node) return;
    this.#subqueries(node, scope);
    for (const part of conjuncts(node)) {
      const { A_Expr: comparison, SubLink: link } = part;
      if (link?.subLinkType === 'ANY_SUBLINK' && !link.operName)
        for (const one of link.testexpr.RowExpr?.args ?? [link.testexpr]) {
          const source = this.#namedBy(one, scope);
          if (source) this.#derive(source, this.query(link.subselect, scope));
        }
      if (comparison?.name[0].String.sval === '@>') this.#contain(comparison, scope);
      if (comparison && isEquality(comparison))
        for (const [one, other] of pairs(comparison.lexpr, comparison.rexpr)) {
          this.#compare(one, other, scope);
          this.#compare(other, one, scope);
        }
    }
  }

  /** Binds the table of a search in metadata, which is indexed below the merchant's id. */
  #contain({ lexpr, rexpr }: Tree, scope: Scope): void {
    const owned = columnsIn(lexpr).find((column) => lastOf(column) === 'merchant_id');
    const source = owned && columnsIn(rexpr).length === 0 && this.#sourceOf(owned, scope);
    if (source) source.isBound = true;
  }

  #compare(one: Tree, other: Tree, scope: Scope): void {
    const source = this.#namedBy(one, scope);
    if (!source) return;
    if (other?.SubLink) this.#derive(source, this.query(other.SubLink.subselect, scope));
    else {
      const partners = columnsIn(other).map((column) => ({ column, of: this.#sourceOf(column, scope) }));
      if (partners.some(({ of }) => of === undefined)) return;
      const isOwned =
        one.ColumnRef && isOwner(source, one.ColumnRef) && other.ColumnRef && partners[0]!.of!.owner;
      // The merchant of one row is that of the other only if both columns say whose it is.
      if (isOwned && !isOwner(partners[0]!.of!, other.ColumnRef)) return;
      this.#derive(
        source,
        partners.map(({ of }) => of!),
      );
    }
  }

  /** A source is bound where everything that names its row is. */
  #derive(source: Source, inner: Source[]): void {
    this.#derived.push([source, inner]);
  }

  /** The source whose row something names: by whose it is, or by what finds it without. */
  #namedBy(node: Tree, scope: Scope): Source | undefined {
    const [column, ...others] = columnsIn(node);
    const source = column && others.length === 0 ? this.#sourceOf(column, scope) : undefined;
    if (!source) return undefined;
    const called = node.FuncCall && `${node.FuncCall.funcname.at(-1).String.sval}(${lastOf(column)})`;
    const finders = this.#schema.directory.get(source.name) ?? [];
    const isNamed = node.ColumnRef && (isOwner(source, column) || finders.includes(lastOf(column)));
    return isNamed || finders.includes(called) ? source : undefined;
  }

  #sourceOf(column: Tree, scope: Scope): Source | undefined {
    const alias = column.fields.length > 1 ? column.fields[0].String?.sval : undefined;
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      if (alias) {
        const found = at.sources.find((source) => source.alias === alias);
        if (found) return found;
      } else {
        const name = lastOf(column);
        const own = at.sources.filter(
          (source) => isOwner(source, column) || this.#schema.directory.get(source.name)?.includes(name),
        );
        const found = own[0] ?? (at.sources.length === 1 ? at.sources[0] : undefined);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** Walks what is not a condition, for queries inside it and for names that are not allowed. */
  #subqueries(node: Tree, scope: Scope): void {
    if (Array.isArray(node)) for (const item of node) this.#subqueries(item, scope);
    else if (node && typeof node === 'object') {
      if (node.ColumnRef && SYSTEM_COLUMNS.test(lastOf(node.ColumnRef)))
        this.#strange.add(lastOf(node.ColumnRef));
      const called = node.FuncCall?.funcname?.at(-1)?.String?.sval;
      if (called && SYSTEM_FUNCTIONS.test(called)) this.#strange.add(called);
      if (node.SubLink) this.query(node.SubLink.subselect, scope);
      else for (const value of Object.values(node)) this.#subqueries(value, scope);
    }
  }
}

const isBound = (source: Source) => source.isBound;
const hasMerchant = (source: Source) => source.owner === 'merchant_id' || source.inner !== undefined;
const lastOf = (column: Tree): string => column.fields.at(-1).String?.sval ?? '*';
const isOwner = (source: Source, column: Tree) => source.owner === lastOf(column);

const isEquality = ({ kind, name }: Tree) =>
  (/^AEXPR_(OP|OP_ANY|IN)$/.test(kind) && name[0].String.sval === '=') || kind === 'AEXPR_NOT_DISTINCT';

function conjuncts(node: Tree): Tree[] {
  return node.BoolExpr?.boolop === 'AND_EXPR' ? node.BoolExpr.args.flatMap(conjuncts) : [node];
}

/** `(a, b) = (c, d)` compares a with c and b with d. */
function pairs(left: Tree, right: Tree): [Tree, Tree][] {
  const [ones, others] = [left?.RowExpr?.args, right?.RowExpr?.args];
  return ones && others ? ones.map((one: Tree, i: number) => [one, others[i]]) : [[left, right]];
}

function columnsIn(node: Tree): Tree[] {
  if (Array.isArray(node)) return node.flatMap(columnsIn);
  if (!node || typeof node !== 'object') return [];
  return node.ColumnRef ? [node.ColumnRef] : Object.values(node).flatMap(columnsIn);
}
