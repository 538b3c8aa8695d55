import { csvRows } from '../support/csv.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk reaches into answers freely.
export type Json = any;

export interface Answer {
  status: number;
  text: string;
  body: Json;
}

/** One merchant of the walk, and what it has made so far. */
export class Shop {
  readonly url: string;
  readonly key: string;
  timeZone: string;
  /** Address at which its money arrives, unless something names another. */
  payoutAddress = '';
  chainUrl = '';
  projectId = '';
  prices = { once: '', taxed: '', month: '', year: '', topUp: '', trial: '' };
  discountId = '';
  readonly customers: string[] = [];
  readonly sessions: string[] = [];
  readonly intents: string[] = [];
  readonly links: { id: string; publicToken: string }[] = [];
  readonly codes: string[] = [];
  terminalId = '';
  /** Paid invoices as they were when they were first seen paid. */
  readonly final = new Map<string, { json: string; pdf: string }>();

  constructor(url: string, key: string, timeZone: string) {
    this.url = url;
    this.key = key;
    this.timeZone = timeZone;
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.fetch(method, path, body);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (response.status >= 500) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  }

  fetch(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request that must succeed. */
  async make(path: string, body: object): Promise<Json> {
    const answer = await this.call('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.text}`);
    return answer.body;
  }

  /** Every row of a list, page after page. */
  async all(path: string, query = ''): Promise<Json[]> {
    const rows: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body, text, status } = await this.call('GET', `${path}?limit=100${query}${cursor}`);
      if (status !== 200) throw new Error(`GET ${path}${query}: ${text}`);
      rows.push(...body.data);
      if (!body.nextCursor) return rows;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  }

  async csv(path: string, query = ''): Promise<Record<string, string>[]> {
    const response = await this.fetch('GET', `${path}${query}`, undefined, { accept: 'text/csv' });
    if (!response.ok) throw new Error(`GET ${path} as CSV: ${response.status}`);
    return csvRows(await response.text());
  }

  async moveTo(timeZone: string): Promise<void> {
    await this.call('PATCH', '/api/b2b/merchants/me', { timeZone });
    this.timeZone = timeZone;
  }

  /** A catalog with everything that can be sold. */
  async open(): Promise<void> {
    await this.moveTo(this.timeZone);
    const seller = { legalName: `Shop of ${this.timeZone}`, country: 'DE' };
    const settings = { usageCredits: { calls: 3 }, gracePeriodDays: 5 };
    const project = await this.make('/api/v2/projects', { name: this.timeZone, seller, settings });
    this.projectId = project.id;
    const { projectId } = this;
    const rate = { projectId, name: 'VAT', percent: 19, country: 'DE', category: 'S' };
    const taxRateId = (await this.make('/api/v2/tax-rates', rate)).id;
    const productId = (await this.make('/api/v2/products', { projectId, name: 'Thing' })).id;
    const price = async (fields: object): Promise<string> =>
      (await this.make('/api/v2/prices', { projectId, productId, ...fields })).id;
    const monthly = { billingMode: 'subscription', recurringInterval: 'month' };
    this.prices = {
      once: await price({ billingMode: 'one_time', unitAmountCents: 1234 }),
      taxed: await price({
        billingMode: 'one_time',
        unitAmountCents: 777,
        taxBehavior: 'exclusive',
        taxRateId,
      }),
      month: await price({ ...monthly, unitAmountCents: 1000 }),
      year: await price({ billingMode: 'subscription', recurringInterval: 'year', unitAmountCents: 9900 }),
      topUp: await price({ billingMode: 'balance_top_up', unitAmountCents: 500, creditAmount: 50 }),
      trial: await price({ ...monthly, unitAmountCents: 2000, trialDays: 7 }),
    };
    const discount = { projectId, name: 'Less', percentOff: 15, duration: 'once' };
    this.discountId = (await this.make('/api/v2/discounts', discount)).id;
    this.terminalId = (await this.make('/api/b2b/merchants/terminals', { name: 'Desk' })).id;
  }
}
