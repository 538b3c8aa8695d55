/** A value that is made when it is first asked for, and kept. */
export function lazy<Value extends object | string>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
