/** Markup that may go out as it is. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type { Html };

/** A template that escapes what is put into it, unless it is such a template itself. */
export function html(strings: TemplateStringsArray, ...values: (Html | Html[] | string)[]): Html {
  const parts = values.map((value, at) => write(value) + strings[at + 1]);
  return new Html(strings[0] + parts.join(''));
}

function write(value: Html | Html[] | string): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(write).join('');
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
