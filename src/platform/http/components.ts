type Json = Record<string, unknown>;

/** Named shapes are written once under components and referenced everywhere else. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly responses: Record<string, Json> = {};

  use(schema: unknown): Json {
    if (Array.isArray(schema)) return schema.map((item) => this.use(item)) as unknown as Json;
    if (schema === null || typeof schema !== 'object') return schema as Json;
    const plain = Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        key === 'examples' || key === 'enum' ? value : this.use(value),
      ]),
    ) as Json;
    const { title, ...rest } = plain;
    if (['name', 'text', 'text-lines'].includes(rest.format as string)) delete rest.format;
    if (typeof title !== 'string' || rest.type !== 'object')
      return title === undefined ? rest : { title, ...rest };
    this.schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  }
}
