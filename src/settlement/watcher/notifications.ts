import { realNow } from '../../platform/lib/clock.ts';

/**
 * Hears from a node when an account is mentioned in a transaction. It only ever means "look now": a lost
 * notification costs time, never money.
 */
export interface Notifications {
  /** The accounts to hear about from now on. */
  listenTo(accounts: readonly string[]): void;
  close(): void;
}

const RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;

export function subscribeToAccounts(url: string, onMention: (account: string) => void): Notifications {
  const wanted = new Set<string>();
  let subscriptions: Subscriptions | undefined;
  let isClosed = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function connect(): void {
    if (isClosed || wanted.size === 0 || subscriptions) return;
    const socket = new WebSocket(url);
    const opened = new Subscriptions(socket, onMention);
    subscriptions = opened;
    const openedAt = realNow().getTime();
    socket.onopen = () => {
      for (const account of wanted) opened.subscribe(account);
    };
    socket.onclose = () => {
      subscriptions = undefined;
      if (isClosed) return;
      failures = realNow().getTime() - openedAt > MAX_RECONNECT_MS ? 0 : failures + 1;
      timer = setTimeout(connect, Math.min(RECONNECT_MS * 2 ** failures, MAX_RECONNECT_MS));
      timer.unref();
      // What was missed while the line was down is found by looking once at everything.
      for (const account of wanted) onMention(account);
    };
    socket.onerror = () => {};
  }

  return {
    listenTo(accounts) {
      const fresh = accounts.filter((account) => !wanted.has(account));
      for (const account of fresh) wanted.add(account);
      if (subscriptions?.isOpen) for (const account of fresh) subscriptions.subscribe(account);
      else connect();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      subscriptions?.close();
    },
  };
}

/** What one connection has subscribed to, and which account each of its notifications is about. */
class Subscriptions {
  readonly #socket: WebSocket;
  readonly #byRequest = new Map<number, string>();
  readonly #bySubscription = new Map<number, string>();
  readonly #onMention: (account: string) => void;
  #nextId = 1;

  constructor(socket: WebSocket, onMention: (account: string) => void) {
    this.#socket = socket;
    this.#onMention = onMention;
    socket.onmessage = ({ data }) => this.#read(String(data));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  subscribe(account: string): void {
    const id = this.#nextId++;
    this.#byRequest.set(id, account);
    const params = [{ mentions: [account] }, { commitment: 'confirmed' }];
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'logsSubscribe', params }));
  }

  close(): void {
    this.#socket.close();
  }

  #read(text: string): void {
    const message = parse(text);
    if (typeof message?.id === 'number' && typeof message.result === 'number') {
      const account = this.#byRequest.get(message.id);
      this.#byRequest.delete(message.id);
      if (account) this.#bySubscription.set(message.result, account);
    }
    const account = this.#bySubscription.get(message?.params?.subscription as number);
    if (message?.method === 'logsNotification' && account) this.#onMention(account);
  }
}

interface Message {
  id?: number;
  result?: number;
  method?: string;
  params?: { subscription?: number };
}

/** A message that is not what it should be is no message. */
function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
