/** A table of migrations/schema.sql, as far as the rules for growing past one machine need it. */
export interface Table {
  name: string;
  /** True if each row belongs to one merchant, and says to which. */
  isTenants: boolean;
  uniqueKeys: { name: string; columns: string[] }[];
  foreignKeys: { name: string; columns: string[]; target: string; targetColumns: string[] }[];
  /** Columns whose values all merchants draw from one source. */
  globalNumbers: string[];
}

const TABLE =
  /^create table (\w+) \(\n([\s\S]*?)^\)[^;]*;\n((?:(?!create table)[\s\S])*?)(?=^create table|$(?![\s\S]))/gm;

export function readTables(schema: string): Table[] {
  return [...schema.matchAll(TABLE)].map(([, name, body, rest]) => ({
    name: name!,
    isTenants: /^ {2}merchant_id uuid (.* )?not null,?$/m.test(body!),
    uniqueKeys: [
      ...body!.matchAll(/constraint (\w+) (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g),
      ...rest!.matchAll(/^CREATE UNIQUE INDEX (\w+) ON \w+ USING \w+ \((.*?)\)(?: WHERE .*)?;$/gm),
    ].map(([, key, columns]) => ({ name: key!, columns: columns!.split(', ') })),
    foreignKeys: [
      ...body!.matchAll(/constraint (\w+) FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/g),
    ].map(([, key, columns, target, targetColumns]) => ({
      name: key!,
      columns: columns!.split(', '),
      target: target!,
      targetColumns: targetColumns!.split(', '),
    })),
    globalNumbers: [
      ...body!.matchAll(/^ {2}(\w+) (?:xid8?\b|.*(?:generated .* as identity|nextval\())/gm),
    ].map(([, column]) => column!),
  }));
}

/** A merchant's own row is named by its id, every other by who owns it. */
const ownerOf = (table: string) => (table === 'merchants' ? 'id' : 'merchant_id');

/** True if both sides of a foreign key say whose row it is, and mean the same merchant. */
export function isOfOneMerchant(
  table: string,
  { columns, target, targetColumns }: Table['foreignKeys'][number],
): boolean {
  const at = columns.indexOf(ownerOf(table));
  return at >= 0 && at === targetColumns.indexOf(ownerOf(target));
}
