import type { TSchema } from './schema.ts';

/**
 * Compiling a schema is expensive, and a process uses few of them: each is compiled when it is first needed, and only
 * once, since both versions of billing share them.
 */
export function oncePerSchema<Result, Rest extends unknown[] = []>() {
  type Compiled = (value: unknown, ...rest: Rest) => Result;
  const compiled = new WeakMap<TSchema, Compiled>();
  return (schema: TSchema, compile: () => Compiled): Compiled => {
    let run: Compiled | undefined;
    return (value, ...rest) => {
      if (!run) {
        run = compiled.get(schema) ?? compile();
        compiled.set(schema, run);
      }
      return run(value, ...rest);
    };
  };
}
