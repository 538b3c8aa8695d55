import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PHONE } from '../support/browser.ts';
import type { TestChain } from '../support/chain.ts';
import { downloadCsv, expectSameRows, readAllRows } from '../support/csv.ts';
import { dashboardChain, dashboardUrl, pageOf } from '../support/dashboard.ts';
import { newOwner, type TestMember } from '../support/members.ts';

const ROWS = 100_000;
/** Half a screen more above and below what fits. */
const MAX_DRAWN = 60;
/** A little less than is drawn at a time, so that every row on the way is seen. */
const STEP_PX = 1_400;

let t: TestChain;
let owner: TestMember;

beforeAll(async () => {
  t = await dashboardChain();
  owner = await newOwner(t.service, t.shop);
  await t.service.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(FILL, [t.shop.id, ROWS]);
  });
  await t.service.db.query('analyze payment_intents');
});

/** One each second, the latest last: row i from the top is order-(100,000 − i)-x. */
const FILL = `
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, received_base_units, reference_address,
                               destination_address, status, created_at, expires_at, succeeded_at)
  select $1::uuid, id, 'order-' || n || '-x', n, case status when 'succeeded' then n * 10000 else 0 end, 'reference-' || n,
         'd', status, at, at + interval '1 day', case status when 'succeeded' then at end
    from (select n, id, uuid_extract_timestamp(id) as at,
                 case when n % 20 = 0 then 'canceled' when n % 3 = 0 then 'expired' else 'succeeded' end as status
            from (select n, uuidv7(make_interval(secs => n - $2::int - 60)) as id from generate_series(1, $2::int) as n) as drawn
         ) as filled`;

interface Drawn {
  /** Row from the top, as read out: the titles are row 1. */
  index: number;
  order: number;
}

const readRows = (page: Page) =>
  page.evaluate<Drawn[]>(`[...document.querySelectorAll('tr[aria-rowindex]')].map((row) => ({
    index: Number(row.getAttribute('aria-rowindex')) - 2,
    order: Number(/order-(\\d+)-x/.exec(row.textContent)[1]),
  }))`);

/** Returns the rows that are drawn, after checking that they are few, and right. */
async function drawn(page: Page, orderAt = (index: number) => ROWS - index): Promise<Drawn[]> {
  const rows = await readRows(page);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(MAX_DRAWN);
  expect(rows).toEqual(
    rows.map((_, at) => ({ index: rows[0]!.index + at, order: orderAt(rows[0]!.index + at) })),
  );
  return rows;
}

const lastDrawn = (page: Page) => expect.poll(async () => (await readRows(page)).at(-1)?.index ?? -1);

/** Turns the wheel by a step, or as far as the rows go that are there, and returns once the page stands still. */
async function wheelOn(page: Page) {
  const at = () => page.evaluate<number>('scrollY');
  const room = () => page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY');
  await expect.poll(room).toBeGreaterThan(0);
  const before = await at();
  const step = Math.min(STEP_PX, await room());
  await page.mouse.wheel(0, step);
  // The browser glides there. A wheel that turns again on the way adds what is left of the glide to its own step.
  await expect.poll(at).toBeGreaterThanOrEqual(before + step);
}

const focusedRow = (page: Page) =>
  expect.poll(() => page.evaluate<string>(`document.activeElement.closest('tr')?.textContent ?? ''`));

test('a hundred thousand rows: the wheel passes every row once, in order, and few are ever drawn', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/payments'));
  await lastDrawn(page).toBeGreaterThanOrEqual(10);
  await page.mouse.move(700, 500);
  const seen = new Set<number>();
  for (let last = -1; last < 1_000; ) {
    const rows = await drawn(page);
    expect(rows[0]!.index, 'no row is skipped').toBeLessThanOrEqual(last + 1);
    for (const { index } of rows) seen.add(index);
    last = rows.at(-1)!.index;
    await wheelOn(page);
    await lastDrawn(page).toBeGreaterThanOrEqual(last + 1);
  }
  expect(seen.size).toBeGreaterThan(1_000);
});

test('keys go to the end of what is read, which is read on, and back to the top; arrows go from row to row', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/payments'));
  await lastDrawn(page).toBeGreaterThanOrEqual(10);
  const goToEnd = async () => {
    await page.keyboard.press('End');
    return (await drawn(page)).at(-1)!.index;
  };
  await expect.poll(goToEnd).toBeGreaterThan(2_000);
  // Rows that arrive in the middle of the browser's own scrolling end it, so the key is pressed until it is there.
  const goToTop = async () => {
    await page.keyboard.press('Home');
    return (await drawn(page))[0]!.index;
  };
  await expect.poll(goToTop).toBe(0);
  await drawn(page);
  for (let at = 0; at < 70; at++) await page.keyboard.press('ArrowDown');
  await focusedRow(page).toContain(`order-${ROWS - 69}-x`);
  await drawn(page);
});

test('arrows pressed faster than rows are drawn lose no press, down and up', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/payments'));
  await lastDrawn(page).toBeGreaterThanOrEqual(10);
  await page.keyboard.press('ArrowDown');
  const pressAtOnce = (key: string, times: number) =>
    page.evaluate(`for (let at = 0; at < ${times}; at++)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`);
  await pressAtOnce('ArrowDown', 69);
  await focusedRow(page).toContain(`order-${ROWS - 69}-x`);
  await pressAtOnce('k', 66);
  await focusedRow(page).toContain(`order-${ROWS - 3}-x`);
  await drawn(page);
});

test('a filter finds the few among the many, to the oldest, and its CSV is the API’s rows', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/payments'));
  await lastDrawn(page).toBeGreaterThanOrEqual(10);
  await page.getByLabel('Status').selectOption('canceled');
  await expect.poll(async () => (await readRows(page))[1]?.order).toBe(ROWS - 20);
  await drawn(page, (index) => ROWS - index * 20);
  const { text } = await downloadCsv(page);
  const rows = await readAllRows(owner, '/api/merchants/intents?status=canceled');
  expect(rows).toHaveLength(ROWS / 20);
  expectSameRows(text, rows);
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('order-1-x');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.getByLabel('Status').selectOption('');
  await page.getByText('1 result').waitFor();
  expect((await readRows(page)).map(({ order }) => order)).toEqual([1]);
});

test('on a phone the columns that are left fill the screen, however many rows stand for those out of view', async () => {
  const page = await pageOf(t, owner, { viewport: PHONE });
  await page.goto(dashboardUrl(t, '/payments'));
  await lastDrawn(page).toBeGreaterThanOrEqual(10);
  const short = await page.evaluate<number>(`(() => {
    const right = (element) => element.getBoundingClientRect().right;
    const cells = [...document.querySelectorAll('tr[aria-rowindex="2"] td')].filter((cell) => cell.offsetWidth > 0);
    return right(document.querySelector('main table')) - right(cells.at(-1));
  })()`);
  expect(Math.abs(short)).toBeLessThan(1);
});

test('the list stands still for someone who reads far down, and is live again at its top', async () => {
  const page = await pageOf(t, owner);
  await page.goto(dashboardUrl(t, '/payments'));
  const goToEnd = async () => {
    await page.keyboard.press('End');
    return (await readRows(page)).at(-1)?.index ?? -1;
  };
  await expect.poll(goToEnd, { timeout: 60_000 }).toBeGreaterThan(400);
  const askedAgain: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/merchants/intents' && !searchParams.has('cursor')) askedAgain.push(request.url());
  });
  const events = () => page.waitForResponse((response) => response.url().includes('/api/v2/events'));
  const told = page.waitForResponse(
    async (response) => response.url().includes('/api/v2/events') && (await response.json()).data.length > 0,
  );
  const order = `order-${ROWS + 1}-x`;
  const { body } = await t.shop.call('POST', '/api/merchants/intents', { amountCents: 5, orderId: order });
  await t.shop.call('POST', `/api/merchants/intents/${body.id}/cancel`);
  await told;
  await events();
  expect(askedAgain).toEqual([]);
  await page.keyboard.press('Home');
  await page.getByText(order, { exact: true }).waitFor();
  await drawn(page, (index) => ROWS + 1 - index);
});
