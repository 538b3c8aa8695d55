import { expect, test } from 'vitest';
import { picturesIn, readMarkdown } from './markdown.ts';
import { addressOf } from './page-address.ts';

const bodyOf = (text: string) => readMarkdown(text, addressOf).body.toString();

test('markup of the page is shown as it was typed and never runs; comments are left out', () => {
  const hostile = '<script>alert(1)</script>';
  for (const text of [
    hostile,
    `a ${hostile} b`,
    `- ${hostile}`,
    `| a |\n| --- |\n| ${hostile} |`,
    `# ${hostile}\n\n## ${hostile}`,
  ])
    expect(bodyOf(text)).not.toContain('<script');
  expect(bodyOf(`a ${hostile} b`)).toContain('&lt;script&gt;');
  expect(bodyOf(`\`\`\`sh\n${hostile}\n\`\`\``)).toContain('&lt;script&gt;');
  expect(bodyOf('Send `Bearer <key>`, or <key>.')).toContain(
    '<code>Bearer &lt;key&gt;</code>, or &lt;key&gt;.',
  );
  expect(bodyOf('<!-- errors: made -->\n\nText')).toBe('<p>Text</p>\n');
  expect(bodyOf('[x](javascript:alert(1))')).toBe('<p>x</p>\n');
});

test('links lead to served pages; examples and what is not served are words', () => {
  expect(bodyOf('[a](webhooks.md#try-it) [b](../openapi.json) [c](#here)')).toBe(
    '<p><a href="webhooks#try-it">a</a> <a href="../openapi.json">b</a> <a href="#here">c</a></p>\n',
  );
  expect(bodyOf('[a](decisions/0001.md) [b](nothing.md) [c](https://elsewhere.example)')).toBe(
    '<p>a b c</p>\n',
  );
  expect(bodyOf('such as https://pay.example.com.')).toBe('<p>such as https://pay.example.com.</p>\n');
  expect(bodyOf('Billing <billing@example.com>')).toBe('<p>Billing &lt;billing@example.com&gt;</p>\n');
});

test('headings have anchors as repositories make them, each once', () => {
  const { title, headings, sections } = readMarkdown(
    '# A page\n\nAbout.\n\n## 1. A `code`, and more\n\n- one\n- two\n\n## Same\n\n### Same\n\n| a | b |\n| --- | --- |\n| `x` | y |\n',
    addressOf,
  );
  expect(title).toBe('A page');
  expect(headings).toEqual([
    { id: '1-a-code-and-more', text: '1. A code, and more', depth: 2 },
    { id: 'same', text: 'Same', depth: 2 },
    { id: 'same-1', text: 'Same', depth: 3 },
  ]);
  expect(sections.map(({ id, text }) => [id, text])).toEqual([
    ['', 'About.'],
    ['1-a-code-and-more', 'one two'],
    ['same', ''],
    ['same-1', 'a b x y'],
  ]);
});

test('code says its language, and sets comments and strings apart', () => {
  expect(bodyOf('```sh\necho "a#b" # why\n```')).toContain(
    'echo <span class="string">&quot;a#b&quot;</span> <span class="comment"># why</span>',
  );
  expect(bodyOf('```json\n{"a": 1}\n```')).toContain('<span class="literal">1</span>');
  expect(bodyOf('1. Do\n\n   ```sql\n   select 1;\n   ```\n')).toContain('<figcaption>SQL</figcaption>');
  expect(bodyOf('- [ ] to do')).toContain('<ul class="tasks">');
});

test('a picture lies beside the pages, and says what it shows', () => {
  const text = 'Look:\n\n![A "home"](images/dashboard-home.webp)\n';
  expect(bodyOf(text)).toContain(
    '<img src="images/dashboard-home.webp" alt="A &quot;home&quot;" loading="lazy">',
  );
  expect(picturesIn(text)).toEqual(['dashboard-home.webp']);
});

test('what nothing here can write is refused rather than lost', () => {
  expect(() => bodyOf('![picture](https://elsewhere.example/x.webp)')).toThrow('image');
  expect(() => bodyOf('![picture](images/../x.webp)')).toThrow('image');
});
