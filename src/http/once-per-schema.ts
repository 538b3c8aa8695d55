import type { TSchema } from './schema.ts';

/** Compiling a schema is the dearest step of a start, and both versions of billing have the same ones: each is compiled once. */
export function oncePerSchema<Compiled>(): (schema: TSchema, compile: () => Compiled) => Compiled {
  const compiled = new WeakMap<TSchema, Compiled>();
  return (schema, compile) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const made = compile();
    compiled.set(schema, made);
    return made;
  };
}
