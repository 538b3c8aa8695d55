import { expect, test } from 'vitest';
import { toDecimal, transferRequestUrl } from './pay-url.ts';

const request = { destination: 'D', mint: 'M', reference: 'R', amountBaseUnits: 12_500_000n };

test('integers become exact decimals', () => {
  expect([1n, 10_000n, 12_500_000n, 1_000_000n, 18_446_744_073_709_551_615n].map(toDecimal)).toEqual([
    '0.000001',
    '0.01',
    '12.5',
    '1',
    '18446744073709.551615',
  ]);
});

test('merchant text is encoded, empty fields are left out', () => {
  expect(transferRequestUrl({ ...request, label: 'Café & Söhne', message: null, memo: 'a/b?c=d' })).toBe(
    'solana:D?amount=12.5&spl-token=M&reference=R&label=Caf%C3%A9%20%26%20S%C3%B6hne&memo=a%2Fb%3Fc%3Dd',
  );
});

test('no URL for nothing, or for more than a transfer can carry', () => {
  expect(transferRequestUrl({ ...request, amountBaseUnits: 0n })).toBeUndefined();
  expect(transferRequestUrl({ ...request, amountBaseUnits: 2n ** 64n })).toBeUndefined();
  expect(transferRequestUrl({ ...request, amountBaseUnits: 2n ** 64n - 1n })).toContain(
    '18446744073709.551615',
  );
});

test('long text of a merchant is cut between characters, so that the URL always fits a QR code', () => {
  const texts = ['店'.repeat(200), '👨‍🚀'.repeat(200), 'ü'.repeat(500), ' '.repeat(500), 'a'.repeat(5_000)];
  for (const label of texts) {
    for (const message of texts) {
      const url = transferRequestUrl({ ...request, label, message, memo: 'm'.repeat(44) })!;
      expect(url.length).toBeLessThanOrEqual(1_024);
      expect(url.isWellFormed()).toBe(true);
      const cut = new URL(url).searchParams;
      expect(cut.get('label')).toMatch(/^.+…$/u);
      expect(label.startsWith(cut.get('label')!.slice(0, -1))).toBe(true);
      expect(message.startsWith(cut.get('message')!.slice(0, -1))).toBe(true);
    }
  }
});

test('text of ordinary length is whole', () => {
  const message = 'x'.repeat(128);
  const url = new URL(transferRequestUrl({ ...request, label: 'L'.repeat(128), message })!);
  expect([url.searchParams.get('label'), url.searchParams.get('message')]).toEqual([
    'L'.repeat(128),
    message,
  ]);
});
