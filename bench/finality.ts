import { once } from 'node:events';

/** Tells when transactions became final, by the node's own word. */
export interface FinalityWatch {
  /** Resolves with the moment, on `performance.now()`'s clock. */
  finalAt(signature: string): Promise<number>;
  close(): void;
}

export async function watchFinality(rpcUrl: string): Promise<FinalityWatch> {
  const socket = new WebSocket(rpcUrl.replace('http', 'ws'));
  const asked = new Map<number, (ms: number) => void>();
  const waiting = new Map<number, (ms: number) => void>();
  let nextId = 1;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.id !== undefined) waiting.set(message.result, asked.get(message.id)!);
    else waiting.get(message.params?.subscription)?.(performance.now());
  };
  await once(socket, 'open');
  return {
    finalAt: (signature) =>
      new Promise((resolve) => {
        const id = nextId++;
        asked.set(id, resolve);
        const params = [signature, { commitment: 'finalized' }];
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'signatureSubscribe', params }));
      }),
    close: () => socket.close(),
  };
}
