import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerEntry, RecentEntry } from './entry.ts';
import type { AccountState } from './genesis.ts';
import type { LogPosition } from './ledger-log.ts';

/** The position at which the archive ends and the rest of the log begins. */
export interface Checkpoint extends LogPosition {
  /** How many transactions landed before it. */
  count: number;
  /** The slots and the time that a reader of the log knew by then. */
  reservedUpTo: number;
  unixTime: number;
}

export interface ArchivedPage {
  /** Both are left out themselves. */
  below: number;
  above: number;
  maxSlot: number;
  limit: number;
}

export interface Batch {
  entries: readonly RecentEntry[];
  /** Accounts that changed since the checkpoint before, as they were at this one. */
  accounts: readonly [address: string, state: AccountState | undefined][];
  checkpoint: Checkpoint;
}

/** Counted up with every change of the tables: an archive of another version is made again from the log. */
const VERSION = 1;

const TABLES = `
  create table transactions (
    sequence integer primary key, signature text not null, slot integer not null, block_time integer not null,
    err text, memo text, offset integer not null, length integer not null
  );
  create unique index transactions_signature on transactions (signature);
  create index transactions_slot on transactions (slot);
  create table mentions (key text not null, sequence integer not null, primary key (key, sequence)) without rowid;
  create table accounts (
    address text primary key, lamports text not null, owner text not null, data blob not null, executable integer not null
  ) without rowid;
  create table checkpoint (
    id integer primary key check (id = 1), end integer not null, last_bytes integer not null, last_checksum text not null,
    count integer not null, reserved_up_to integer not null, unix_time integer not null
  );
  pragma user_version = ${VERSION};`;

/**
 * History that is too old to change: transactions with their times and accounts, and how accounts were at the
 * checkpoint. All of it is in the log too; here it is found without reading the log from its beginning.
 */
export class Archive {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof statements>;
  #checkpoint: Checkpoint | undefined;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    // A power cut may take the last batches away, never half of one.
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = normal');
    const { user_version: version } = this.#db.prepare('pragma user_version').get()!;
    if (version !== VERSION) this.#makeTables();
    this.#sql = statements(this.#db);
    this.#checkpoint = this.#readCheckpoint();
  }

  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  /** All of the batch or nothing. */
  add({ entries, accounts, checkpoint }: Batch): void {
    const sql = this.#sql;
    this.#atOnce(() => {
      if (this.#readCheckpoint()?.end !== this.#checkpoint?.end)
        throw new Error('another process writes to the archive of this ledger');
      for (const { sequence, signature, slot, blockTime, err, memo, keys, place } of entries) {
        const error = err === null ? null : JSON.stringify(err);
        sql.addTransaction.run(sequence, signature, slot, blockTime, error, memo, place.offset, place.length);
        for (const key of keys) sql.addMention.run(key, sequence);
      }
      for (const [address, state] of accounts) {
        if (!state) sql.removeAccount.run(address);
        else
          sql.setAccount.run(address, `${state.lamports}`, state.owner, state.data, Number(state.executable));
      }
      const { end, lastBytes, lastChecksum, count, reservedUpTo, unixTime } = checkpoint;
      sql.setCheckpoint.run(end, lastBytes, lastChecksum, count, reservedUpTo, unixTime);
    });
    this.#checkpoint = checkpoint;
  }

  find(signature: string): LedgerEntry | undefined {
    const row = this.#sql.find.get(signature);
    return row && entryIn(row);
  }

  /** Newest first. */
  page(key: string, { below, above, maxSlot, limit }: ArchivedPage): LedgerEntry[] {
    return this.#sql.page.all(key, below, above, maxSlot, limit).map(entryIn);
  }

  /** Sequence of the first transaction of a slot. */
  firstOf(slot: number): number | undefined {
    return (this.#sql.firstOf.get(slot)?.first as number | null | undefined) ?? undefined;
  }

  blockTime(slot: number): number | undefined {
    return this.#sql.blockTime.get(slot)?.block_time as number | undefined;
  }

  /** Programs last. */
  *accounts(): Generator<[address: string, state: AccountState]> {
    for (const { address, lamports, owner, data, executable } of this.#sql.accounts.iterate())
      yield [
        address as string,
        {
          lamports: BigInt(lamports as string),
          owner: owner as string,
          data: data as Uint8Array,
          executable: executable === 1,
        },
      ];
  }

  /** It belongs to another log, or to another version. */
  clear(): void {
    this.#makeTables();
    this.#checkpoint = undefined;
  }

  close(): void {
    this.#db.close();
  }

  #makeTables(): void {
    this.#atOnce(() => {
      for (const table of ['transactions', 'mentions', 'accounts', 'checkpoint'])
        this.#db.exec(`drop table if exists ${table}`);
      this.#db.exec(TABLES);
    });
  }

  #readCheckpoint(): Checkpoint | undefined {
    const row = this.#sql.checkpoint.get();
    if (!row) return undefined;
    const { end, count, last_bytes: lastBytes, last_checksum: lastChecksum } = row;
    const { reserved_up_to: reservedUpTo, unix_time: unixTime } = row;
    return { end, lastBytes, lastChecksum, count, reservedUpTo, unixTime } as Checkpoint;
  }

  #atOnce(work: () => void): void {
    this.#db.exec('begin immediate');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }
}

/** Opens the archive in the folder, or a new one in the place of what cannot be read: the log has everything. */
export function openArchive(folder: string): Archive {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'archive.db');
  // Nobody else's to read, as the log.
  closeSync(openSync(path, 'a', 0o600));
  try {
    return new Archive(path);
  } catch (error) {
    if (!UNREADABLE.includes((error as { errcode?: number }).errcode ?? 0)) throw error;
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    return new Archive(path);
  }
}

/** SQLite's codes for a damaged file, and for one that is no database. */
const UNREADABLE = [11, 26];

const ENTRY = 't.sequence, t.signature, t.slot, t.block_time, t.err, t.memo, t.offset, t.length';

function statements(db: DatabaseSync) {
  return {
    addTransaction: db.prepare('insert into transactions values (?, ?, ?, ?, ?, ?, ?, ?)'),
    addMention: db.prepare('insert or ignore into mentions values (?, ?)'),
    setAccount: db.prepare('insert or replace into accounts values (?, ?, ?, ?, ?)'),
    removeAccount: db.prepare('delete from accounts where address = ?'),
    accounts: db.prepare('select * from accounts order by executable'),
    checkpoint: db.prepare('select * from checkpoint'),
    setCheckpoint: db.prepare('insert or replace into checkpoint values (1, ?, ?, ?, ?, ?, ?)'),
    find: db.prepare(`select ${ENTRY} from transactions t where signature = ?`),
    firstOf: db.prepare('select min(sequence) as first from transactions where slot = ?'),
    blockTime: db.prepare('select block_time from transactions where slot = ? limit 1'),
    page: db.prepare(
      `select ${ENTRY} from mentions m join transactions t on t.sequence = m.sequence
       where m.key = ? and m.sequence < ? and m.sequence > ? and t.slot <= ?
       order by m.sequence desc limit ?`,
    ),
  };
}

function entryIn(row: Record<string, unknown>): LedgerEntry {
  const { sequence, signature, slot, block_time: blockTime, err, memo, offset, length } = row;
  const error = err === null ? null : JSON.parse(err as string);
  return { sequence, signature, slot, blockTime, err: error, memo, place: { offset, length } } as LedgerEntry;
}
