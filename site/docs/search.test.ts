import { expect, test } from 'vitest';
import { rank, type SearchEntry } from './search.ts';

const entry = (heading: string, text = '', page = 'Page'): SearchEntry => ({
  url: heading,
  page,
  heading,
  text,
});
const found = (entries: SearchEntry[], query: string) =>
  rank(entries, query, 10).map(({ entry }) => entry.heading);

test('a whole word in a heading comes before its beginning, and that before words of the text', () => {
  const entries = [entry('Other', 'all about keys'), entry('Keyboards'), entry('Key'), entry('Monkeys')];
  expect(found(entries, 'key')).toEqual(['Key', 'Keyboards', 'Monkeys', 'Other']);
});

test('every word must be there, in any letter case, and names in capitals are several words', () => {
  const entries = [entry('Errors', 'INSUFFICIENT_SCOPE 403'), entry('Scopes', 'of keys')];
  expect(found(entries, 'Insufficient scope')).toEqual(['Errors']);
  expect(found(entries, 'scope 404')).toEqual([]);
  expect(found(entries, ' .,! ')).toEqual([]);
});

test('the excerpt begins and ends with whole words around the match', () => {
  const text = `${'before '.repeat(30)}the needle is here ${'after '.repeat(30)}`.trim();
  const [finding] = rank([entry('A', text)], 'needle', 1);
  expect(finding).toMatchObject({ match: 'needle', before: expect.stringMatching(/^… before .*the $/) });
  expect(finding!.after).toMatch(/after …$/);
  expect(rank([entry('Needle', 'short')], 'needle', 1)[0]).toMatchObject({
    before: 'short',
    match: '',
    after: '',
  });
});

test('a page comes before its own sections, and no more are found than the limit allows', () => {
  const entries = [
    entry('Webhooks', '', 'Events'),
    entry('Webhooks', '', 'Webhooks'),
    entry('Webhooks', '', 'SDK'),
  ];
  expect(rank(entries, 'webhooks', 2).map(({ entry }) => entry.page)).toEqual(['Webhooks', 'Events']);
});

test('a misspelt word that occurs nowhere is read as the nearest one that does; what is found as typed comes first', () => {
  const entries = [
    entry('Webhooks', 'each webhook is signed'),
    entry('Idempotency', 'the same key, the same answer'),
    entry('Checkout', 'a page to pay on'),
    entry('Invoices', 'numbers without gaps'),
    entry('Book', 'a web of words'),
  ];
  const typos = [
    'webook',
    'webhoks',
    'idempotancy',
    'indempotency',
    'cehckout',
    'chekout',
    'invioces',
    'invocies',
  ];
  expect(typos.map((typo) => found(entries, typo)[0])).toEqual([
    ...['Webhooks', 'Webhooks', 'Idempotency', 'Idempotency', 'Checkout', 'Checkout', 'Invoices', 'Invoices'],
  ]);
  expect(found(entries, 'wehbooks singed')).toEqual(['Webhooks']);
  expect(rank(entries, 'singed', 1)[0]).toMatchObject({ match: 'signed' });
  expect(found(entries, 'book')).toEqual(['Book']);
});

test('short words, numbers and words near to nothing are taken as they are', () => {
  const entries = [entry('Errors', 'code 40301 for a key'), entry('Webhooks')];
  for (const query of ['kay', '40302', 'payroll', 'webhooks kay', 'wxyz'])
    expect(found(entries, query)).toEqual([]);
});
