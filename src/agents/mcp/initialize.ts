/**
 * Finds the fault of a handshake, for the client’s author; the library would answer with the output of its validator.
 * A revision that we do not support is no fault: the answer names one that we do, as the protocol demands.
 */
export function findFault(message: object): string | undefined {
  const { params } = message as { params?: unknown };
  if (!isObject(params)) return 'params must be an object with protocolVersion, capabilities and clientInfo';
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || protocolVersion === '')
    return 'params.protocolVersion must be the date of a revision, as a text such as "2025-11-25"';
  if (!isObject(capabilities)) return 'params.capabilities must be an object';
  if (!isObject(clientInfo)) return 'params.clientInfo must be an object with name and version';
  for (const field of ['name', 'version'])
    if (typeof clientInfo[field] !== 'string') return `params.clientInfo.${field} must be a text`;
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
