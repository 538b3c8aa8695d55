/** The text with something else between the two comments of this name; it must have them. */
export function putBetween(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (!text.includes(start) || to < 0) throw new Error(`there is no place for ${name}`);
  return text.slice(0, from) + content + text.slice(to);
}
