import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

/** The least a webhook can be: a signed POST, and another as soon as one is answered. */
const { RECEIVER, SECRET, BODY } = process.env;
const url = `${RECEIVER}/ok`;
const dispatcher = new Agent({ pipelining: 1 });

async function postMany(count: number, atOnce: number): Promise<number> {
  const startedMs = performance.now();
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      const time = Math.floor(Date.now() / 1000).toString();
      const signature = createHmac('sha256', SECRET!).update(time).update(BODY!).digest('hex');
      const { statusCode, body } = await request(url, {
        dispatcher,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-signature': `t=${time},v1=${signature}`,
          'x-service-idempotency-key': randomUUID(),
        },
        body: BODY!,
      });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (count / (performance.now() - startedMs)) * 1000;
}

const server = createServer(async (incoming, response) => {
  const { searchParams } = new URL(incoming.url!, 'http://localhost');
  const perSecond = await postMany(Number(searchParams.get('count')), Number(searchParams.get('atOnce')));
  response.end(String(perSecond));
});

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
