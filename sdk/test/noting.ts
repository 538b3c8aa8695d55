import { type Florin, List } from '../src/florin.ts';

/** Every method of the client, as `resource.method`. */
export function methodNames(florin: Florin): string[] {
  return Object.entries(florin).flatMap(([resource, methods]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(methods))
      .filter((name) => name !== 'constructor' && resource !== 'webhooks')
      .map((name) => `${resource}.${name}`),
  );
}

/** The same client; the name of each method goes to `answered` once the service answered it well. */
export function noting(florin: Florin, answered: Set<string>): Florin {
  for (const name of methodNames(florin)) {
    const [resource, method] = name.split('.') as [keyof Florin, string];
    const methods = florin[resource] as unknown as Record<string, (...args: unknown[]) => unknown>;
    const plain = methods[method]!;
    methods[method] = (...args) => {
      const result = plain.apply(methods, args);
      if (result instanceof List) notePage(result, () => answered.add(name));
      else
        (result as Promise<unknown>).then(
          () => answered.add(name),
          () => {},
        );
      return result;
    };
  }
  return florin;
}

/** Everything a list gives begins with its first page. */
function notePage(list: List<unknown>, note: () => void): void {
  const page = list.page.bind(list);
  list.page = async () => {
    const first = await page();
    note();
    return first;
  };
}
