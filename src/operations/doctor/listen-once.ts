import { elapsedMs } from '../../platform/lib/clock.ts';

export interface Heard {
  /** Milliseconds until the node confirmed the subscription. */
  confirmedMs: number;
  /** The first transaction it announced; undefined: none within the time. */
  signature: string | undefined;
}

/**
 * Listens at a node for transactions that name an account, until the first or for so long; `onConfirmed` when it has begun to.
 * Throws where the node takes no subscription.
 */
export function listenOnce(
  url: string,
  account: string,
  forMs: number,
  onConfirmed: () => void,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const startedMs = elapsedMs();
    const socket = new WebSocket(url);
    let confirmedMs: number | undefined;
    const end = (signature?: string) => {
      clearTimeout(timer);
      socket.onclose = null;
      socket.close();
      if (confirmedMs === undefined) reject(new Error('the node confirms no subscription'));
      else resolve({ confirmedMs, signature });
    };
    const timer = setTimeout(() => end(), forMs);
    socket.onopen = () => {
      const params = [{ mentions: [account] }, { commitment: 'confirmed' }];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'logsSubscribe', params }));
    };
    socket.onmessage = ({ data }) => {
      const message = read(String(data));
      if (message?.id === 1 && typeof message.result === 'number' && confirmedMs === undefined) {
        confirmedMs = elapsedMs() - startedMs;
        onConfirmed();
      }
      const signature = message?.params?.result?.value?.signature;
      if (message?.method === 'logsNotification' && typeof signature === 'string') end(signature);
    };
    socket.onerror = () => {};
    socket.onclose = () => {
      clearTimeout(timer);
      reject(new Error('the connection cannot be opened, or the node closed it'));
    };
  });
}

interface Message {
  id?: number;
  result?: unknown;
  method?: string;
  params?: { result?: { value?: { signature?: unknown } } };
}

function read(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
