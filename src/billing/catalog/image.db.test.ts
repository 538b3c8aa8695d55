import { expect, test } from 'vitest';
import { newLink, newProject, newSession } from '../../../test/support/billing.ts';
import { png } from '../../../test/support/images.ts';
import { testService } from '../../../test/support/service.ts';

test('a product shows its image at checkout and on its link, served as an image and nothing else; unused it is gone', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const { id: projectId } = await newProject(shop);
  const { paymentLink, price } = await newLink(shop, projectId);
  const path = `/api/v2/products/${price.productId}/image`;
  const put = (bytes: Buffer) => shop.call('PUT', path, bytes, { 'content-type': 'image/png' });
  const page = async (url: string) => (await fetch(service.url + url)).text();
  const link = `/pay/${paymentLink.publicToken}`;
  expect(await page(link)).not.toContain('product-image');

  expect((await put(Buffer.from('<svg onload="alert(1)"/>'))).status).toBe(400);
  const { status, body } = await put(png());
  expect([status, body.imagePath]).toEqual([
    200,
    expect.stringMatching(/^\/brand\/logos\/[0-9a-f]{64}\.png$/),
  ]);
  const image = await fetch(service.url + body.imagePath);
  expect([
    image.status,
    image.headers.get('content-type'),
    image.headers.get('x-content-type-options'),
  ]).toEqual([...[200, 'image/png', 'nosniff']]);
  expect(image.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(image.headers.get('cache-control')).toContain('immutable');

  const { checkoutUrl } = await newSession(shop, projectId, { priceId: price.id });
  expect(await page(new URL(checkoutUrl).pathname)).toContain(`src="${body.imagePath}"`);
  const { body: fresh } = await shop.call('POST', '/api/v2/payment-links', { projectId, priceId: price.id });
  expect(await page(`/pay/${fresh.publicToken}`)).toContain(`src="${body.imagePath}"`);

  // The project's logo is the same picture: it stays as long as one of them shows it.
  const logo = `/api/v2/projects/${projectId}/logo`;
  await shop.call('PUT', logo, png(), { 'content-type': 'image/png' });
  expect((await shop.call('DELETE', logo)).status).toBe(204);
  expect((await fetch(service.url + body.imagePath)).status).toBe(200);
  expect((await shop.call('DELETE', path)).status).toBe(204);
  expect((await shop.call('DELETE', path)).status).toBe(204);
  expect((await fetch(service.url + body.imagePath)).status).toBe(404);
  const audit = await service.db.query(
    `select from audit_entries where action = 'product.changed' and target_id = $1`,
    [price.productId],
  );
  expect(audit).toHaveLength(2);
});
