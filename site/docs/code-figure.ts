import { type Html, type HtmlPart, html } from '../../src/platform/http/html.ts';
import { codeBlock, coloured } from '../reference/code.ts';

const LANGUAGES: Record<string, { name: string; comment?: string }> = {
  sh: { name: 'Shell', comment: String.raw`(?<=^|\s)#.*` },
  env: { name: 'Settings', comment: '^#.*' },
  ini: { name: 'Unit file', comment: '^[#;].*' },
  nginx: { name: 'nginx', comment: '#.*' },
  yaml: { name: 'YAML', comment: String.raw`(?<=^|\s)#.*` },
  ts: { name: 'TypeScript', comment: String.raw`//.*|/\*[^]*?\*/` },
  js: { name: 'JavaScript', comment: String.raw`//.*|/\*[^]*?\*/` },
  python: { name: 'Python', comment: '#.*' },
  sql: { name: 'SQL', comment: '--.*' },
  json: { name: 'JSON' },
  text: { name: 'Output' },
};

/** A fenced block of a page: what language it is in, and the code with comments and strings set apart. */
export function codeFigure(language: string, code: string): Html {
  const { name, comment } = LANGUAGES[language] ?? { name: 'Code' };
  if (language === 'json') return codeBlock(name, name, coloured(code));
  return codeBlock(name, name, comment === undefined ? code : lit(code, comment));
}

/** Strings end with their line, so that a lone apostrophe colours no more than that. */
const STRING = String.raw`'[^'\n]*'|"(?:\\.|[^"\\\n])*"`;

function lit(code: string, comment: string): Html {
  const parts: HtmlPart[] = [];
  let at = 0;
  for (const match of code.matchAll(new RegExp(`(${STRING})|(${comment})`, 'gm'))) {
    parts.push(code.slice(at, match.index));
    parts.push(html`<span class="${match[1] === undefined ? 'comment' : 'string'}">${match[0]}</span>`);
    at = match.index + match[0].length;
  }
  return html`${parts}${code.slice(at)}`;
}
