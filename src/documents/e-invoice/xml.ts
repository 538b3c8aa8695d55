/** An element: its text, or what is inside it. Names are ours; texts and attribute values may come from anyone. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  content: string | XmlElement[];
}

type Child = XmlElement | null | Child[];

/** An element with others inside; null where there are none, because the standard knows no empty elements. */
export function group(name: string, ...children: Child[]): XmlElement | null {
  const content = flat(children);
  return content.length === 0 ? null : { name, attributes: {}, content };
}

/** An element with text; null where nothing is left of it. */
export function text(
  name: string,
  value: string | null,
  attributes: Record<string, string> = {},
): XmlElement | null {
  const content = cleanXmlText(value ?? '');
  return content === '' ? null : { name, attributes, content };
}

/** The whole file. */
export function writeXml(name: string, namespaces: Record<string, string>, ...children: Child[]): string {
  const root = { name, attributes: namespaces, content: flat(children) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${print(root, '')}`;
}

function flat(children: readonly Child[]): XmlElement[] {
  return children.flatMap((child) => (Array.isArray(child) ? flat(child) : child ? [child] : []));
}

function print({ name, attributes, content }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(cleanXmlText(value))}"`,
  );
  const inside =
    typeof content === 'string'
      ? escapeXml(content)
      : `\n${content.map((child) => print(child, `${indent}  `)).join('')}${indent}`;
  return `${indent}<${name}${pairs.join('')}>${inside}</${name}>\n`;
}

/**
 * Characters that XML 1.0 cannot contain, not even escaped: most control characters, halves of pairs, and two more.
 */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A text as one line. */
export function cleanXmlText(value: string): string {
  return value.replace(FORBIDDEN, '').replace(/\s+/gu, ' ').trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
