import type { FastifyReply } from 'fastify';
import { OneOf, Optional, Shape } from '../../platform/http/schema.ts';
import { XML_FORMATS } from './export-invoice.ts';

/** The syntax of a document. */
export const XmlQuery = Shape(undefined, {
  format: Optional(
    OneOf(
      XML_FORMATS,
      '`ubl` is UBL 2.1, the default; `cii` is a Cross Industry Invoice (D16B), as in Factur-X and ZUGFeRD.',
    ),
  ),
});

export function sendXml(reply: FastifyReply, { number, xml }: { number: string; xml: string }): FastifyReply {
  return reply
    .header('content-type', 'application/xml; charset=utf-8')
    .header('content-disposition', `attachment; filename="${number.replace(/[^\w.-]/g, '_')}.xml"`)
    .send(xml);
}
