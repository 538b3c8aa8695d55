import { lexer, type Token, type Tokens } from 'marked';
import { type Html, html } from '../../src/platform/http/html.ts';
import { codeFigure } from './code-figure.ts';

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

/** The plain text under one heading, for the search. */
export interface Section {
  /** Empty for the text above the first heading. */
  id: string;
  heading: string;
  text: string;
}

export interface ManualText {
  title: string;
  body: Html;
  headings: Heading[];
  sections: Section[];
}

/** A page of docs/ as HTML. `linkTo` resolves the links of the text; undefined leaves plain text. */
export function readMarkdown(text: string, linkTo: (href: string) => string | undefined): ManualText {
  const tokens = lexer(text);
  const slugs = new Slugs();
  const headings = new Map<Token, Heading>();
  for (const token of tokens) {
    if (isHeading(token)) headings.set(token, headingOf(token, slugs));
  }
  const writer = new Writer(linkTo, headings);
  const [first] = headings.values();
  return {
    title: first?.text ?? '',
    body: html`${tokens.map((token) => writer.block(token))}`,
    headings: [...headings.values()].filter(({ depth }) => depth > 1),
    sections: sectionsOf(tokens, headings),
  };
}

const PICTURE = /^images\/[a-z0-9-]+\.webp$/;

/** The names of the pictures that a page shows. */
export function picturesIn(text: string): string[] {
  return [...text.matchAll(/!\[[^\]]*\]\(images\/([a-z0-9-]+\.webp)\)/g)].map(([, name]) => name!);
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function headingOf({ depth, tokens }: Tokens.Heading, slugs: Slugs): Heading {
  const text = plainText(tokens);
  return { id: slugs.of(text), text, depth };
}

/** Anchors as the hosts of repositories make them, so that a link works there as well as here. */
class Slugs {
  readonly #taken = new Map<string, number>();

  of(text: string): string {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const times = this.#taken.get(slug) ?? 0;
    this.#taken.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}

class Writer {
  readonly #linkTo: (href: string) => string | undefined;
  readonly #headings: ReadonlyMap<Token, Heading>;

  constructor(linkTo: (href: string) => string | undefined, headings: ReadonlyMap<Token, Heading>) {
    this.#linkTo = linkTo;
    this.#headings = headings;
  }

  block(token: Token): Html | undefined {
    switch (token.type) {
      case 'heading':
        return this.#heading(token as Tokens.Heading);
      case 'paragraph':
        return html`<p>${this.#inline(token.tokens)}</p>\n`;
      case 'text':
        return html`${token.tokens ? this.#inline(token.tokens) : token.text}`;
      case 'code':
        return html`${codeFigure(token.lang ?? '', token.text)}\n`;
      case 'list':
        return this.#list(token as Tokens.List);
      case 'table':
        return this.#table(token as Tokens.Table);
      case 'blockquote':
        return html`<blockquote>${token.tokens!.map((inner) => this.block(inner))}</blockquote>\n`;
      case 'hr':
        return html`<hr>\n`;
      // Comments are for authors; other markup is shown as typed.
      case 'html':
        return token.raw.startsWith('<!--') ? undefined : html`<p>${token.raw}</p>\n`;
      case 'checkbox':
        return emptyBox;
      case 'space':
        return undefined;
      default:
        throw new Error(`a page holds ${token.type}, which nothing here can write: ${token.raw}`);
    }
  }

  /** The title is the page's own to place. */
  #heading(token: Tokens.Heading): Html | undefined {
    const { id, depth } = this.#headings.get(token)!;
    if (depth === 1) return undefined;
    const words = this.#inline(token.tokens);
    const link = html`<a class="anchor" href="#${id}">${words}</a>`;
    if (depth === 2) return html`<h2 id="${id}">${link}</h2>\n`;
    return depth === 3 ? html`<h3 id="${id}">${link}</h3>\n` : html`<h4 id="${id}">${link}</h4>\n`;
  }

  #list({ ordered, start, items }: Tokens.List): Html {
    const entries = items.map(({ tokens }) => html`<li>${tokens.map((inner) => this.block(inner))}</li>\n`);
    if (items.some(({ task }) => task)) return html`<ul class="tasks">\n${entries}</ul>\n`;
    if (!ordered) return html`<ul>\n${entries}</ul>\n`;
    return html`<ol start="${String(start || 1)}">\n${entries}</ol>\n`;
  }

  /** The roles say again what the elements mean, because a phone lays the table out as blocks, each cell with its label. */
  #table({ header, rows }: Tokens.Table): Html {
    const isNamed = header.some(({ text }) => text !== '');
    const head = html`<thead role="rowgroup"><tr role="row">${header.map(({ tokens }) => html`<th role="columnheader" scope="col">${this.#inline(tokens)}</th>`)}</tr></thead>\n`;
    const cell = ({ tokens }: Tokens.TableCell, at: number) => {
      const label = header.length > 2 && at > 0 ? plainText(header[at]!.tokens) : '';
      return html`<td role="cell"${label !== '' && html` data-label="${label}"`}>${this.#inline(tokens)}</td>`;
    };
    return html`<table role="table">\n${isNamed && head}<tbody role="rowgroup">
${rows.map((cells) => html`<tr role="row">${cells.map(cell)}</tr>\n`)}</tbody></table>\n`;
  }

  #inline(tokens: readonly Token[] = []): Html {
    return html`${tokens.map((token) => this.#word(token))}`;
  }

  #word(token: Token): Html | string {
    switch (token.type) {
      case 'strong':
        return html`<strong>${this.#inline(token.tokens)}</strong>`;
      case 'em':
        return html`<em>${this.#inline(token.tokens)}</em>`;
      case 'codespan':
        return html`<code>${token.text}</code>`;
      case 'br':
        return html`<br>`;
      case 'link':
        return this.#link(token as Tokens.Link & { autolink?: boolean });
      case 'image':
        return this.#picture(token as Tokens.Image);
      case 'text':
        return token.tokens ? this.#inline(token.tokens) : token.text;
      case 'escape':
        return token.text;
      case 'html':
        return token.raw;
      case 'checkbox':
        return emptyBox;
      default:
        throw new Error(`a line holds ${token.type}, which nothing here can write: ${token.raw}`);
    }
  }

  /** Pictures lie beside the pages; from elsewhere none is shown. */
  #picture({ href, text, raw }: Tokens.Image): Html {
    if (!PICTURE.test(href)) throw new Error(`an image that is not served from here: ${raw}`);
    return html`<img src="${href}" alt="${text}" loading="lazy">`;
  }

  /** A bare URL in a sentence is an example, not a link. */
  #link(token: Tokens.Link & { autolink?: boolean }): Html | string {
    if (token.autolink || token.raw.startsWith('<')) return token.raw;
    const target = this.#linkTo(token.href);
    return target === undefined
      ? this.#inline(token.tokens)
      : html`<a href="${target}">${this.#inline(token.tokens)}</a>`;
  }
}

/** Box of a list to check off on paper; nothing here remembers a tick. */
const emptyBox = html`<span class="box" aria-hidden="true">☐</span> `;

function sectionsOf(tokens: readonly Token[], headings: ReadonlyMap<Token, Heading>): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    if (heading) sections.push({ id: heading.depth > 1 ? heading.id : '', heading: heading.text, text: '' });
    else if (sections.length > 0) sections.at(-1)!.text += `${plainText([token])} `;
  }
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** The words alone, of a line or of whole blocks. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('');
}

function wordsOf(token: Token): string {
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => `${plainText(tokens)} `).join('');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => `${plainText(tokens)} `)
      .join('');
  }
  if (token.type === 'html') return token.raw.startsWith('<!--') ? '' : token.raw;
  if ('tokens' in token && token.tokens) return plainText(token.tokens);
  return 'text' in token ? String(token.text) : ' ';
}
