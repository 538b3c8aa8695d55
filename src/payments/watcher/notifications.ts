import { AccountLine } from './account-line.ts';

/**
 * Hears from a node when an account is mentioned in a transaction. It only ever means "look now": a lost
 * notification costs time, never money.
 */
export interface Notifications {
  /** The accounts to hear about from now on, and no others. */
  listenTo(accounts: readonly string[]): void;
  /** These as well. */
  addAccounts(accounts: readonly string[]): void;
  /** Number of accounts without working notifications at the moment. */
  countUnheard(): number;
  /** Something happened to the account and nothing was heard of it: its connection is replaced. */
  doubt(account: string): void;
  close(): void;
}

export interface NotificationOptions {
  url: string;
  /** Providers limit how many accounts one connection can listen to. */
  maxPerSocket: number;
  onMention(account: string, signature: string | undefined): void;
  /** These were not heard for a while, and are again. */
  onGap(accounts: readonly string[]): void;
  /** Time between pings to a node. */
  pingMs?: number;
}

/** Listens to any number of accounts, over as many connections as they take; each of them reconnects on its own. */
export function subscribeToAccounts(options: NotificationOptions): Notifications {
  const lines = new Set<AccountLine>();
  const lineOf = new Map<string, AccountLine>();

  function add(account: string): void {
    if (lineOf.has(account)) return;
    let line = [...lines].find(({ size }) => size < options.maxPerSocket);
    if (!line) {
      line = new AccountLine(options);
      lines.add(line);
    }
    line.add(account);
    lineOf.set(account, line);
  }

  function remove(account: string, line: AccountLine): void {
    line.remove(account);
    lineOf.delete(account);
    if (line.size > 0) return;
    line.close();
    lines.delete(line);
  }

  return {
    listenTo(accounts) {
      const wanted = new Set(accounts);
      for (const [account, line] of lineOf) if (!wanted.has(account)) remove(account, line);
      for (const account of wanted) add(account);
      for (const line of lines) line.askAgain();
    },
    addAccounts(accounts) {
      for (const account of accounts) add(account);
    },
    countUnheard: () => [...lines].reduce((sum, line) => sum + line.size - line.heardCount, 0),
    doubt: (account) => lineOf.get(account)?.reconnect(),
    close() {
      for (const line of lines) line.close();
    },
  };
}
