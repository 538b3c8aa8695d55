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
  const byRequest = new Map<number, string>();
  const bySubscription = new Map<number, string>();
  let socket: WebSocket | undefined;
  let isClosed = false;
  let failures = 0;
  let nextId = 1;
  let timer: NodeJS.Timeout | undefined;

  function connect(): void {
    if (isClosed || wanted.size === 0 || socket) return;
    const opened = new WebSocket(url);
    socket = opened;
    const openedAt = realNow().getTime();
    opened.onopen = () => {
      for (const account of wanted) subscribe(account);
    };
    opened.onmessage = ({ data }) => read(String(data));
    opened.onclose = () => {
      socket = undefined;
      byRequest.clear();
      bySubscription.clear();
      if (isClosed) return;
      failures = realNow().getTime() - openedAt > MAX_RECONNECT_MS ? 0 : failures + 1;
      timer = setTimeout(connect, Math.min(RECONNECT_MS * 2 ** failures, MAX_RECONNECT_MS));
      timer.unref();
      // What was missed while the line was down is found by looking once at everything.
      for (const account of wanted) onMention(account);
    };
    opened.onerror = () => {};
  }

  function subscribe(account: string): void {
    const id = nextId++;
    byRequest.set(id, account);
    const params = [{ mentions: [account] }, { commitment: 'confirmed' }];
    socket!.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'logsSubscribe', params }));
  }

  function read(text: string): void {
    const message = parse(text);
    if (typeof message?.id === 'number' && typeof message.result === 'number') {
      const account = byRequest.get(message.id);
      byRequest.delete(message.id);
      if (account) bySubscription.set(message.result, account);
    }
    const account = bySubscription.get(message?.params?.subscription as number);
    if (message?.method === 'logsNotification' && account) onMention(account);
  }

  return {
    listenTo(accounts) {
      const fresh = accounts.filter((account) => !wanted.has(account));
      for (const account of fresh) wanted.add(account);
      if (socket?.readyState === WebSocket.OPEN) for (const account of fresh) subscribe(account);
      else connect();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
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
