import type { Database } from '../../src/platform/db/database.ts';
import type { Running } from './process.ts';
import { PRICE_CENTS } from './shop-load.ts';
import { setUrl } from './webhooks.ts';

/** The merchant of the first start, with something to sell. */
export async function openShop(api: Running, db: Database, webhookUrl: string) {
  const apiKey = api.apiKey!;
  const call = async (path: string, body?: object): Promise<Record<string, string>> => {
    const response = await fetch(api.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { id: merchantId, payoutAddress } = await call('/api/b2b/merchants/me');
  await setUrl(db, merchantId!, webhookUrl);
  const { id: projectId } = await call('/api/v2/projects', { name: 'Coffee bar' });
  const { id: productId } = await call('/api/v2/products', { projectId, name: 'Coffee' });
  const price = { projectId, productId, unitAmountCents: PRICE_CENTS, billingMode: 'one_time' };
  const { id: priceId } = await call('/api/v2/prices', price);
  return { apiKey, payoutAddress: payoutAddress!, projectId: projectId!, priceId: priceId! };
}
