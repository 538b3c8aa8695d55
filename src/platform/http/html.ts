/** Trusted markup. Only `html` creates it, so anything that is not Html is text and gets escaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type HtmlPart = Html | string | number | bigint | false | null | undefined | readonly HtmlPart[];

/** A template whose values are escaped unless they are Html; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  let markup = strings[0]!;
  for (const [at, part] of parts.entries()) markup += write(part) + strings[at + 1]!;
  return new Html(markup);
}

function write(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (Array.isArray(part)) return part.map(write).join('');
  return escaped(String(part));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Plain text with blank lines between paragraphs and `code` in backticks, as descriptions are written. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** The same for text inside a line. */
export function inline(text: string): Html {
  // Splitting by a group leaves what stood between backticks at the odd places.
  const parts = text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}
