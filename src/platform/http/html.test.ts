import { expect, test } from 'vitest';
import { html, inline, prose } from './html.ts';

test('what is put into a template is escaped, in text and in attributes', () => {
  const hostile = `<script>alert("1")</script> & 'more'`;
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;">' +
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</p>',
  );
});

test('markup made by html is put in as it is, and only that', () => {
  expect(String(html`<b>${html`<i>${'<'}</i>`}</b>`)).toBe('<b><i>&lt;</i></b>');
  const lookalike = { toString: () => '<script>' } as unknown as string;
  expect(String(html`${lookalike}`)).not.toContain('<script>');
});

test('lists are joined and escaped, nothing is nothing, zero is zero', () => {
  expect(String(html`${['<', html`<br>`, ['&']]}`)).toBe('&lt;<br>&amp;');
  expect(String(html`${null}${undefined}${false}${0}${2n ** 63n}`)).toBe('09223372036854775808');
});

test('prose has paragraphs and code, and nothing else that is markup', () => {
  expect(String(prose('Send `{"a": 1}` to <us>.\n\nThen wait.'))).toBe(
    '<p>Send <code>{&quot;a&quot;: 1}</code> to &lt;us&gt;.</p><p>Then wait.</p>',
  );
  expect(String(inline('`<b>` and a lone ` tick'))).toBe('<code>&lt;b&gt;</code> and a lone ` tick');
});
