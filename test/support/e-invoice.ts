import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import {
  closeBuffer,
  openBuffer,
  readBuffer,
  XmlDocument,
  XmlElement,
  XmlText,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { lazy } from '../../src/platform/lib/lazy.ts';
import { requirePackages } from './own-packages.ts';

/** An element as another parser reads it: text, or children, of which several may have the same name. */
export interface ReadElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: ReadElement[];
}

export function readXml(xml: string): ReadElement {
  const document = XmlDocument.fromString(xml);
  try {
    return readElement(document.root);
  } finally {
    document.dispose();
  }
}

function readElement(element: XmlElement): ReadElement {
  const children: ReadElement[] = [];
  let text = '';
  for (let node = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement) children.push(readElement(node));
    if (node instanceof XmlText) text += node.content;
  }
  const name = element.prefix ? `${element.prefix}:${element.name}` : element.name;
  const attributes = Object.fromEntries(element.attrs.map((each) => [each.name, each.content]));
  return { name, attributes, text: children.length === 0 ? text : '', children };
}

/** Everything below that is reached by these names. */
export function pick(element: ReadElement, ...path: string[]): ReadElement[] {
  const [first, ...rest] = path;
  const found = element.children.filter(({ name }) => name === first);
  return rest.length === 0 ? found : found.flatMap((child) => pick(child, ...rest));
}

/** Schemas of others come with a hundred megabytes of libraries, and nothing else needs them: they are installed here alone. */
const SCHEMAS = join(import.meta.dirname, '../e-invoice');

/** Validates a document with the schemas of Factur-X in its profile EN 16931. */
export function objectionsToCii(xml: string): string[] {
  const document = XmlDocument.fromString(xml);
  try {
    ciiSchema().validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error;
    return error.details.map(({ message }) => message);
  } finally {
    document.dispose();
  }
}

/** Read once: that takes longer than a hundred documents. */
const ciiSchema = lazy(() => {
  requirePackages(SCHEMAS);
  const folder = new URL(
    '../e-invoice/node_modules/@stackforge-eu/factur-x/schema/en16931/',
    import.meta.url,
  );
  const fileOf = (path: string) => new URL(path.slice(path.lastIndexOf('/') + 1), folder);
  xmlRegisterInputProvider({
    match: (path) => path.endsWith('.xsd') && existsSync(fileOf(path)),
    open: (path) => openBuffer(readFileSync(fileOf(path))),
    read: readBuffer,
    close: (opened) => {
      closeBuffer(opened);
      return true;
    },
  });
  const main = new URL('FACTUR-X_EN16931.xsd', folder);
  return XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(main, 'utf8'), { url: main.href }));
});

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, and data that fits it or not
type Json = any;

/**
 * Validates a document with E-Invoice-EU's schema of UBL, with all code lists. Elements must be in the order of the
 * schema.
 */
export function objectionsToUbl(xml: string): string[] {
  const root = readXml(xml);
  const isNote = root.name === 'CreditNote';
  const schema: Json = invoiceSchema().properties['ubl:Invoice'];
  const objections: string[] = [];
  const data = { 'ubl:Invoice': toJson(root, schema, isNote, objections) };
  for (const party of ['cac:AccountingSupplierParty', 'cac:AccountingCustomerParty'])
    data['ubl:Invoice'][party]['cac:Party'] = { ...data['ubl:Invoice'][party]['cac:Party'], ...ADDRESS };
  const validate = ublSchema();
  if (!validate(data))
    objections.push(...validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`));
  return objections;
}

const invoiceSchema = lazy((): Json => {
  requirePackages(SCHEMAS);
  return createRequire(join(SCHEMAS, 'package.json'))('@e-invoice-eu/core').invoiceSchema;
});

const ublSchema = lazy(() => {
  const ajv = new Ajv2019({ strict: true, allErrors: true });
  return ajv.compile(invoiceSchema());
});

/** Their schema is that of the Peppol network, which wants to know where to deliver; EN 16931 does not. */
const ADDRESS = { 'cbc:EndpointID': 'nobody@example.com', 'cbc:EndpointID@schemeID': 'EM' };

/** The form of that schema: attributes beside elements, lists where there can be several. */
function toJson(element: ReadElement, schema: Json, isNote: boolean, objections: string[]): Json {
  const object: Json = {};
  const order = Object.keys(schema?.properties ?? {});
  let last = -1;
  for (const child of element.children) {
    const name = isNote ? asInvoice(child.name) : child.name;
    const own = schema?.properties?.[name];
    const value =
      child.children.length > 0 ? toJson(child, own?.items ?? own, isNote, objections) : child.text;
    if (order.indexOf(name) < last) objections.push(`${name} of ${element.name} comes too late`);
    last = order.indexOf(name);
    if (own?.type === 'array') object[name] = [...(object[name] ?? []), value];
    else if (name in object) objections.push(`${name} of ${element.name} is there twice`);
    else object[name] = value;
    for (const [key, text] of Object.entries(child.attributes)) object[`${name}@${key}`] = text;
  }
  return object;
}

function asInvoice(name: string): string {
  return name.replace(':CreditNote', ':Invoice').replace(':Credited', ':Invoiced');
}
