import { expect, test } from 'vitest';
import { parseWebhookUrl } from './webhook-url.ts';

const parse = (text: string) => parseWebhookUrl(text, { allowHttp: true, allowPrivate: true });

test.each([
  'https://example.com',
  'https://Example.com/Hook?a=b',
  'https://example.com:443/',
  'http://example.com:8080',
  'https://example.com?x=1',
  'https://127.0.0.1:9/x',
  'https://[2606:4700::1]/x',
  'https://localhost./',
  'https://bücher.example/',
  'https://BÜCHER.example/',
  'https://bu\u0308cher.example/',
  'https://xn--bcher-kva.example/',
  'https://例え.jp/フック',
])('%s is kept as it is', (text) => {
  expect(parse(text)).toBe(text);
});

test.each([
  ['https:///x', /as it is called: x$/],
  ['https:////example.com/', /as it is called: example\.com$/],
  ['https://ex%61mple.com/', /as it is called: example\.com$/],
  ['https://2130706433/', /as it is called: 127\.0\.0\.1$/],
  ['https://0x7f.1/', /as it is called: 127\.0\.0\.1$/],
  ['https://[2606:4700:0::01]/', /as it is called: \[2606:4700::1\]$/],
  ['https://ｅｘａｍｐｌｅ.com/', /as it is called: example\.com$/],
  ['https://example。com/', /as it is called: example\.com$/],
  ['https://ex\u200bample.com/', /absolute/],
  ['https://ex\u00adample.com/', /absolute/],
  ['https://ex\u2060ample.com/', /absolute/],
  ['https://example.com/a\u200bb', /absolute/],
  ['https://example.com/a\u3164b', /absolute/],
  ['https://example.com/a\u00a0b', /absolute/],
  ['https://example.com/\ud800', /absolute/],
])('%j is refused', (text, why) => {
  expect(() => parse(text)).toThrow(why);
});
