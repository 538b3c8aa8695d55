/** A value that is computed on first use and cached. */
export function lazy<Value extends object | string>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
