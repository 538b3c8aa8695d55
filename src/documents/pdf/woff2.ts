import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { ByteReader } from './byte-reader.ts';
import { type GlyphTables, restoreGlyphs } from './woff2-glyphs.ts';

const decompress = promisify(brotliDecompress);

const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT ' +
  'VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar ' +
  'fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .replaceAll('_', ' ')
  .split(/ (?=\S)/);

interface TableEntry {
  tag: string;
  transformed: boolean;
  length: number;
}

/** The TrueType font inside a WOFF2 file, whole enough for HarfBuzz; checksums, which it does not read, are zero. */
export async function readWoff2(file: Buffer): Promise<Buffer> {
  const reader = new ByteReader(file);
  if (reader.take(4).toString('latin1') !== 'wOF2') throw new Error('not a WOFF2 file');
  const flavor = reader.u32();
  reader.offset = 12;
  const tableCount = reader.u16();
  reader.offset = 20;
  const compressedLength = reader.u32();
  reader.offset = 48;
  const entries = Array.from({ length: tableCount }, () => readEntry(reader));
  const body = new ByteReader(await decompress(reader.take(compressedLength)));
  const tables = new Map<string, Buffer>();
  const transformed = new Set<string>();
  for (const entry of entries) {
    tables.set(entry.tag, body.take(entry.length));
    if (entry.transformed) transformed.add(entry.tag);
  }
  restoreTransformed(tables, transformed);
  return writeSfnt(flavor, tables);
}

function readEntry(reader: ByteReader): TableEntry {
  const flags = reader.u8();
  const tag = (flags & 63) === 63 ? reader.take(4).toString('latin1') : KNOWN_TAGS[flags & 63]!;
  const version = flags >> 6;
  // For glyf and loca version 0 means transformed and 3 means plain; for every other table 0 means plain.
  const transformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0;
  const originalLength = reader.base128();
  return { tag, transformed, length: transformed ? reader.base128() : originalLength };
}

function restoreTransformed(tables: Map<string, Buffer>, transformed: ReadonlySet<string>): void {
  if (!transformed.has('glyf')) return;
  const glyphs = restoreGlyphs(tables.get('glyf')!);
  tables.set('glyf', glyphs.glyf);
  tables.set('loca', glyphs.loca);
  const head = Buffer.from(tables.get('head')!);
  head.writeInt16BE(1, 50);
  tables.set('head', head);
  if (transformed.has('hmtx'))
    tables.set('hmtx', restoreMetrics(tables.get('hmtx')!, tables.get('hhea')!, glyphs));
}

/** A transformed hmtx leaves out the left side bearings that equal a glyph's own left edge. */
function restoreMetrics(packed: Buffer, hhea: Buffer, { xMins }: GlyphTables): Buffer {
  const reader = new ByteReader(packed);
  const flags = reader.u8();
  const metricCount = hhea.readUInt16BE(34);
  const advances = Array.from({ length: metricCount }, () => reader.u16());
  const bearings = xMins.map((xMin, glyph) => {
    const absent = glyph < metricCount ? flags & 1 : flags & 2;
    return absent ? xMin : reader.i16();
  });
  const out = Buffer.alloc(metricCount * 4 + (xMins.length - metricCount) * 2);
  bearings.forEach((bearing, glyph) => {
    if (glyph < metricCount) out.writeUInt16BE(advances[glyph]!, glyph * 4);
    out.writeInt16BE(bearing, glyph < metricCount ? glyph * 4 + 2 : metricCount * 2 + glyph * 2);
  });
  return out;
}

function writeSfnt(flavor: number, tables: Map<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const header = Buffer.alloc(12 + 16 * sorted.length);
  header.writeUInt32BE(flavor, 0);
  header.writeUInt16BE(sorted.length, 4);
  const parts: Buffer[] = [header];
  let offset = header.length;
  sorted.forEach(([tag, table], index) => {
    const at = 12 + 16 * index;
    header.write(tag, at, 'latin1');
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(table.length, at + 12);
    const padding = Buffer.alloc(-table.length & 3);
    parts.push(table, padding);
    offset += table.length + padding.length;
  });
  return Buffer.concat(parts);
}
