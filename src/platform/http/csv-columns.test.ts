import { expect, test } from 'vitest';
import { csvColumns, csvHead, csvLine } from './csv-columns.ts';
import { Int32, Int64, List, Nullable, Shape, Text, Timestamp, Uuid } from './schema.ts';

const View = Shape('Paper', {
  id: Uuid(),
  status: Text(),
  customerId: Nullable(Uuid()),
  totalCents: Int64(),
  paidAt: Nullable(Timestamp()),
  buyer: Nullable(
    Shape(undefined, {
      name: Text(),
      address: Nullable(Shape(undefined, { city: Text() })),
      taxIds: List(Shape(undefined, { type: Text(), value: Text() })),
      tips: List(Int32()),
      dueCents: Nullable(Int64()),
      since: Timestamp(),
    }),
  ),
  lines: List(Shape(undefined, { amountCents: Int64() })),
  createdAt: Timestamp(),
  number: Nullable(Text()),
});

const columns = csvColumns(View, { hasCustomer: true });

const FULL = {
  id: 'f0',
  status: 'paid',
  customerId: 'c0',
  totalCents: -123456789012345678n,
  paidAt: new Date('2026-03-01T23:59:59.999Z'),
  buyer: {
    name: '=1+1',
    address: { city: '\t@x' },
    taxIds: [
      { type: 'eu_vat', value: '-DE1' },
      { type: 'us_ein', value: '2' },
    ],
    tips: [5, 10],
    dueCents: 5,
    since: '2026-03-02T00:30:00+01:00',
  },
  lines: [{ amountCents: 7n }],
  createdAt: new Date('2026-03-01T00:00:00Z'),
  number: 'A-1',
  customer: { name: '+Ada', email: 'ada@shop.example' },
};

test('dates, document and customer first, what is inside an object flat, ids last; every field keeps its title', () => {
  const titles = csvHead(columns).trimEnd().split(',');
  expect(titles.join(' ')).toBe(
    'createdAt createdDate number customer.name customer.email status totalUsd totalCents paidAt paidDate currency buyer.name buyer.address.city buyer.taxIds buyer.tips buyer.dueUsd buyer.dueCents buyer.since buyer.sinceDate buyer lines id customerId',
  );
  expect(titles).toEqual(expect.arrayContaining(Object.keys(View.properties)));
});

test('dollars have a point and no separators, also below zero; a day is the day in the time zone; no text is a formula', () => {
  const plain = csvLine({ ...FULL, lines: [], buyer: { ...FULL.buyer, taxIds: [] } }, columns);
  expect(plain).toContain(
    ",'+Ada,ada@shop.example,paid,-1234567890123456.78,-123456789012345678,2026-03-01T23:59:59.999Z,2026-03-01,USD,'=1+1,",
  );
  expect(plain).toContain(',"5, 10",0.05,5,2026-03-02T00:30:00+01:00,2026-03-01,');
  expect(csvLine(FULL, columns)).toContain(`,"\t'@x","'-DE1, 2",`);
});

test('days are those of the time zone', () => {
  const there = csvColumns(View, { timeZone: 'Asia/Kathmandu' });
  expect(csvLine(FULL, there)).toContain(',2026-03-01T23:59:59.999Z,2026-03-02,');
  expect(csvLine(FULL, there)).toContain(',2026-03-02T00:30:00+01:00,2026-03-02,');
});

test('what is null or missing is empty, and cents of another token are no dollars', () => {
  const empty = { ...FULL, buyer: null, paidAt: null, number: null, customer: null };
  expect(csvLine(empty, columns)).toMatch(
    /^2026-03-01T00:00:00.000Z,2026-03-01,,,,paid,-\d+\.78,-\d+,,,USD,{10}"/,
  );
  expect(csvLine({ ...empty, currency: null }, columns)).toContain(',paid,,-123456789012345678,,,,');
});
