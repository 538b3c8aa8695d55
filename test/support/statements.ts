import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Statement {
  /** The file in src/ and its function. */
  of: string;
  text: string;
}

/** The statements that the functions of all files with SQL send: each is called with values that are anything at once. */
export async function listStatements(): Promise<Statement[]> {
  const files = globSync('src/**/{*queries,record,list-entries}.ts', { cwd: root }).toSorted();
  const found: Statement[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(root, file));
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || /^class /.test(String(value))) continue;
      const of = `${file.slice('src/'.length)} ${name}`;
      const query = async (text: string) => {
        found.push({ of, text });
        return [ANYTHING];
      };
      const db = { query, inTransaction: true, queuesEmails: true };
      try {
        await value(db, ...Array.from({ length: 8 }, () => ANYTHING));
      } catch {
        // Statements sent before the error count.
      }
    }
  }
  return found;
}

/** A text, a number, a list of one and an object with every field, in one. */
// biome-ignore lint/suspicious/noExplicitAny: anything at once
const ANYTHING: any = new Proxy(() => {}, {
  get(_, name) {
    if (name === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 1 : 'anything');
    if (name === Symbol.iterator) return () => [ANYTHING][Symbol.iterator]();
    if (name === 'then' || name === 'toJSON') return undefined;
    if (name === 'length') return 1;
    if (name === 'map' || name === 'flatMap') return (work: (item: unknown) => unknown) => [work(ANYTHING)];
    return ANYTHING;
  },
  apply: () => ANYTHING,
});
