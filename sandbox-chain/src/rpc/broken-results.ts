/** These answer one item for each that was asked about, found or not. */
const ONE_EACH = ['getSignatureStatuses', 'getMultipleAccounts'];

/** The result of a node that has heard of nothing. */
export function emptied(method: string, result: unknown): unknown {
  if (Array.isArray(result)) return ONE_EACH.includes(method) ? result.map(() => null) : [];
  if (typeof result === 'object' && result !== null && 'context' in result && 'value' in result)
    return { ...result, value: emptied(method, result.value) };
  return null;
}

/** Valid JSON that is not what the method promises. */
export function misshapen(result: unknown): unknown {
  if (Array.isArray(result)) return { error: 'unavailable', items: result.length };
  return typeof result === 'object' && result !== null ? ['unavailable'] : { unexpected: true };
}
