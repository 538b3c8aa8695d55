import { redact } from '../platform/lib/log.ts';
import { TargetRefused } from './connect.ts';

const MEANINGS: [RegExp, string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was closed before an answer came'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connecting took too long'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'the host cannot be reached'],
  [/^(ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|ETIMEOUT|EREFUSED|EBADNAME)$/, 'the host name cannot be resolved'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the headers of the answer are too large'],
  [/^(HPE_\w+|HTTPParserError)$/, 'the answer is not HTTP'],
];

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO|ERR_OSSL)/;
const LONGEST = 200;

/** A failed exchange in words for the merchant. */
export function explain(error: Error & { code?: unknown }): string {
  if (error instanceof TargetRefused) return `refused: ${error.message}`;
  const code = typeof error.code === 'string' ? error.code : error.name;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
  if (meaning) return meaning;
  return redact(`${TLS.test(code) ? 'TLS: ' : ''}${error.message}`).slice(0, LONGEST);
}
