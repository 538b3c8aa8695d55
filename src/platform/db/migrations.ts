import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lazy } from '../lib/lazy.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  /** Everything at once, each statement alone (`create index concurrently`), or one statement until it finds nothing more. */
  mode: 'transaction' | 'statements' | 'batches';
  /** The lowest schema a release must know to work with this one; 0 for any. Nothing where the file does not say. */
  needsSchema: number | null;
  /** A table that never holds many rows, whatever the size of the installation. */
  fewRows: string | null;
}

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** The schema that all migrations together make, as text. */
export const SCHEMA_FILE = `${FOLDER}schema.sql`;

/** The numbered files, in order and without a gap. Read once: readiness asks for them every few seconds. */
export const readMigrations = lazy(async (): Promise<Migration[]> => {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (file, i) => {
      const number = Number(file.slice(0, 4));
      if (number !== i + 1) throw new Error(`migrations: expected number ${i + 1}, found ${file}`);
      return parseMigration(number, file.slice(5, -4), await readFile(FOLDER + file, 'utf8'));
    }),
  );
});

const MODES = { '@each-statement-alone': 'statements', '@in-batches': 'batches' } as const;

/** Parses a file. Its marks are lines such as `-- @expands`, before its first statement. */
export function parseMigration(number: number, name: string, sql: string): Migration {
  const migration: Migration = {
    ...{ number, name, sql, checksum: hash('sha256', sql, 'hex') },
    ...{ mode: 'transaction', needsSchema: null, fewRows: null },
  };
  for (const [, mark, value] of sql.matchAll(/^-- (@[a-z-]+)(?: (\w+))?$/gm)) {
    if (mark === '@expands') migration.needsSchema = 0;
    else if (mark === '@needs-schema' && value) migration.needsSchema = Number(value);
    else if (mark === '@few-rows' && value) migration.fewRows = value;
    else if (mark! in MODES) migration.mode = MODES[mark as keyof typeof MODES];
    else throw new Error(`migration ${number} (${name}): ${mark} is not known`);
  }
  return migration;
}
