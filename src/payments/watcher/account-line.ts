import { realNow } from '../../platform/lib/clock.ts';

interface LineOptions {
  url: string;
  /** The signature is that of the transaction, where the node names it. */
  onMention(account: string, signature: string | undefined): void;
  onGap(accounts: readonly string[]): void;
  /** Time between pings to the node; default: 20 seconds. */
  pingMs?: number | undefined;
}

const PING_MS = 20_000;
const RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;
/** Maximum of requests under way at the same time: a node that gets thousands in one go refuses some. */
const MAX_ASKED = 50;

/**
 * One connection, and the accounts it listens to. It reconnects until it is closed, also when the node falls silent: a
 * connection whose other end is gone without a word stays open for good, and an account that nobody pays to is silent too.
 */
export class AccountLine {
  readonly #options: LineOptions;
  /** Each with the number of its subscription, once the node has told it. */
  readonly #accounts = new Map<string, number | undefined>();
  readonly #bySubscription = new Map<number, string>();
  readonly #byRequest = new Map<number, string>();
  /** Accounts not requested yet. */
  readonly #toAsk = new Set<string>();
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pings: NodeJS.Timeout | undefined;
  /** Nothing was heard since the last ping. */
  #isSilent = false;
  /** Nodes answer a ping by saying that they do not know it. One that never did is not judged by it. */
  #answersPings = false;
  #pingId = 0;
  #nextId = 1;
  #connectedAt = 0;
  #failures = 0;
  #hasBeenOpen = false;
  #isClosed = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#accounts.size;
  }

  get heardCount(): number {
    return this.#bySubscription.size;
  }

  add(account: string): void {
    this.#accounts.set(account, undefined);
    this.#toAsk.add(account);
    if (this.#socket) this.#ask();
    else if (!this.#timer) this.#connect();
  }

  remove(account: string): void {
    const subscription = this.#accounts.get(account);
    this.#accounts.delete(account);
    this.#toAsk.delete(account);
    if (subscription === undefined) return;
    this.#bySubscription.delete(subscription);
    this.#send('logsUnsubscribe', [subscription]);
  }

  /** Repeats requests that the node has refused or never answered: they may succeed by now. */
  askAgain(): void {
    const underWay = new Set(this.#byRequest.values());
    for (const [account, subscription] of this.#accounts)
      if (subscription === undefined && !underWay.has(account)) this.#toAsk.add(account);
    this.#ask();
  }

  /** Connects again: what it carries is doubted, though the other end answers. */
  reconnect(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#hangUp();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pings);
    this.#socket?.close();
  }

  #connect(): void {
    this.#timer = undefined;
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    this.#connectedAt = realNow().getTime();
    this.#isSilent = true;
    this.#pings = setInterval(() => this.#ping(), this.#options.pingMs ?? PING_MS).unref();
    socket.onopen = () => {
      // At once, to know whether this node answers.
      this.#sendPing();
      for (const account of this.#accounts.keys()) this.#toAsk.add(account);
      this.#ask();
      if (this.#hasBeenOpen) this.#options.onGap([...this.#accounts.keys()]);
      this.#hasBeenOpen = true;
    };
    socket.onmessage = ({ data }) => this.#read(String(data));
    socket.onclose = () => this.#lose();
    socket.onerror = () => {};
  }

  /** A node that has said nothing since the last ping is gone, and so is one that has not let us in since. */
  #ping(): void {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    const mustAnswer = !isOpen || this.#answersPings || this.#byRequest.size > 0;
    if (this.#isSilent && mustAnswer) this.#hangUp();
    else this.#sendPing();
  }

  #sendPing(): void {
    this.#isSilent = true;
    this.#pingId = this.#send('ping', []);
  }

  /** The other end may never answer to the closing, so that is not waited for. */
  #hangUp(): void {
    const socket = this.#socket!;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this.#lose();
  }

  #lose(): void {
    clearInterval(this.#pings);
    this.#forget();
    if (this.#isClosed) return;
    const lastedMs = realNow().getTime() - this.#connectedAt;
    this.#failures = lastedMs > MAX_RECONNECT_MS ? 0 : this.#failures + 1;
    const waitMs = Math.min(RECONNECT_MS * 2 ** this.#failures, MAX_RECONNECT_MS);
    this.#timer = setTimeout(() => this.#connect(), waitMs);
    this.#timer.unref();
  }

  #forget(): void {
    this.#socket = undefined;
    this.#byRequest.clear();
    this.#bySubscription.clear();
    for (const account of this.#accounts.keys()) this.#accounts.set(account, undefined);
  }

  #ask(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const account of this.#toAsk) {
      if (this.#byRequest.size >= MAX_ASKED) return;
      this.#toAsk.delete(account);
      const id = this.#send('logsSubscribe', [{ mentions: [account] }, { commitment: 'confirmed' }]);
      this.#byRequest.set(id, account);
    }
  }

  #send(method: string, params: readonly unknown[]): number {
    const id = this.#nextId++;
    if (this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  #read(text: string): void {
    this.#isSilent = false;
    const message = parse(text);
    if (message?.id === this.#pingId) this.#answersPings = true;
    const asked = typeof message?.id === 'number' ? this.#byRequest.get(message.id) : undefined;
    if (asked !== undefined) {
      this.#byRequest.delete(message!.id!);
      if (typeof message!.result === 'number') this.#noteSubscription(asked, message!.result);
      this.#ask();
    }
    const account = this.#bySubscription.get(message?.params?.subscription as number);
    if (message?.method !== 'logsNotification' || !account) return;
    const signature = message.params?.result?.value?.signature;
    this.#options.onMention(account, typeof signature === 'string' ? signature : undefined);
  }

  #noteSubscription(account: string, subscription: number): void {
    if (!this.#accounts.has(account)) return void this.#send('logsUnsubscribe', [subscription]);
    this.#accounts.set(account, subscription);
    this.#bySubscription.set(subscription, account);
  }
}

interface Message {
  id?: number;
  result?: number;
  method?: string;
  params?: { subscription?: number; result?: { value?: { signature?: unknown } | null } | null };
}

/** A message that is not what it should be is no message. */
function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
