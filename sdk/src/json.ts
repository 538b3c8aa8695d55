/** JSON that keeps every digit, on every platform: only the newest can read a number's own text by themselves. */

/** Works like JSON.parse, but an integer that a number cannot hold exactly is a bigint. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d{16}/.test(text) ? readExactly(text) : value;
}

/** The text has been parsed once, so it is well formed: commas and colons add nothing to the order of its tokens. */
function readExactly(text: string): unknown {
  const tokens = text.match(/"(?:[^"\\]+|\\.)*"|[{}[\]]|[^\s,:{}[\]"]+/g) ?? [];
  let at = 0;
  const next = (): unknown => {
    const token = tokens[at++] ?? '';
    if (token === '{') {
      const object = {};
      while (tokens[at] !== '}') {
        const key = JSON.parse(tokens[at++] ?? '') as string;
        // Plain assignment of `__proto__` would set the prototype instead.
        Object.defineProperty(object, key, {
          value: next(),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      at++;
      return object;
    }
    if (token === '[') {
      const array: unknown[] = [];
      while (tokens[at] !== ']') array.push(next());
      at++;
      return array;
    }
    return /^-?\d+$/.test(token) ? integer(token) : JSON.parse(token);
  };
  return next();
}

function integer(token: string): number | bigint {
  const number = Number(token);
  return Number.isSafeInteger(number) ? number : BigInt(token);
}

/** Works like JSON.stringify, but a bigint is a plain integer, and a number that cannot be meant is refused. */
export function stringifyJson(value: unknown): string {
  return write(value) ?? 'null';
}

function write(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const text = write(item);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${fields.join(',')}}`;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number that can be sent.`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} is too large to be exact as a number: give it as a bigint.`);
  }
  return JSON.stringify(value);
}
