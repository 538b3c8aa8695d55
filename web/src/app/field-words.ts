/** `taxIds.0.value must be …` → Tax ID 1 must be …: people do not know what the API calls a field. */
export function withFieldInWords(message: string): string {
  const text = message.replace(/^[a-z]+[A-Za-z0-9]*(?:\.[A-Za-z0-9]+)*/, pathInWords);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function pathInWords(path: string): string {
  const parts: string[] = [];
  for (const step of path.split('.')) {
    const last = parts.at(-1);
    if (/^\d+$/.test(step)) parts[parts.length - 1] = `${last!.replace(/s$/, '')} ${Number(step) + 1}`;
    // A list of values has nothing else to name.
    else if (step !== 'value' || last === undefined) parts.push(nameInWords(step));
  }
  return parts.join(', ');
}

const nameInWords = (name: string) =>
  name
    .replace('paymentIntent', 'payment')
    .replace(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
    .toLowerCase()
    .replace(/ (id|url)(?=s?$)/, (word) => word.toUpperCase());
