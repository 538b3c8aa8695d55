import type { FontFace } from './font-faces.ts';
import type { Subsetter } from './font-subsetter.ts';
import { type PdfWriter, pdfNumber, utf16Hex } from './pdf-writer.ts';
import type { Glyph } from './readable-glyphs.ts';

/** A face as used in one document. Each glyph has a code for each of its meanings, so one shape can stand for two letters. */
interface EmbeddedFont {
  name: string;
  face: FontFace;
  codes: Map<string, number>;
  glyphs: { id: number; text: string; width: number }[];
}

/** Collects what a document draws and embeds exactly that. */
export class EmbeddedFonts {
  readonly #fonts = new Map<FontFace, EmbeddedFont>();

  use(face: FontFace): EmbeddedFont {
    let font = this.#fonts.get(face);
    if (!font) {
      font = { name: `F${this.#fonts.size + 1}`, face, codes: new Map(), glyphs: [] };
      this.#fonts.set(face, font);
    }
    return font;
  }

  /** Writes every font and gives the entries of a page's font resources. */
  async write(writer: PdfWriter, subsetter: Subsetter): Promise<string> {
    const entries: string[] = [];
    for (const font of this.#fonts.values())
      entries.push(`/${font.name} ${await writeFont(writer, subsetter, font)} 0 R`);
    return entries.join(' ');
  }
}

/** The code of a glyph standing for a text, and its width in thousandths of an em. */
export function codeOf(font: EmbeddedFont, glyph: Glyph): { code: number; width: number } {
  const { id, text } = glyph;
  const key = `${id} ${glyph.width ?? ''} ${text}`;
  let code = font.codes.get(key);
  if (code === undefined) {
    const { font: shaper, file } = font.face;
    // Code 0 is left to the glyph of what is missing, as readers expect.
    const width = ((glyph.width ?? shaper.glyphHAdvance(id)) * 1000) / file.unitsPerEm;
    code = font.glyphs.push({ id, text, width });
    font.codes.set(key, code);
  }
  return { code, width: font.glyphs[code - 1]!.width };
}

async function writeFont(writer: PdfWriter, subsetter: Subsetter, font: EmbeddedFont): Promise<number> {
  const { file, weight } = font.face;
  const bytes = subsetter.cut(
    file.bytes,
    weight,
    font.glyphs.map((glyph) => glyph.id),
  );
  const scaled = (value: number) => pdfNumber((value * 1000) / file.unitsPerEm);
  const name = `/${subsetTag(font.name)}+${file.id}-${weight}`;
  const program = await writer.writeStream(bytes, `/Length1 ${bytes.length}`);
  const descriptor = writer.write(
    `<< /Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${file.box.map(scaled).join(' ')}] ` +
      `/ItalicAngle 0 /Ascent ${scaled(file.ascender)} /Descent ${scaled(file.descender)} ` +
      `/CapHeight ${scaled(file.ascender)} /StemV ${weight === 600 ? 120 : 80} /FontFile2 ${program} 0 R >>`,
  );
  const glyphOfCode = Buffer.alloc((font.glyphs.length + 1) * 2);
  font.glyphs.forEach((glyph, index) => {
    glyphOfCode.writeUInt16BE(glyph.id, (index + 1) * 2);
  });
  const map = await writer.writeStream(glyphOfCode);
  const widths = font.glyphs.map((glyph) => pdfNumber(glyph.width)).join(' ');
  const descendant = writer.write(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /FontDescriptor ${descriptor} 0 R ` +
      `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ` +
      `/CIDToGIDMap ${map} 0 R /DW 0 /W [1 [${widths}]] >>`,
  );
  const toUnicode = await writer.writeStream(unicodeMap(font));
  return writer.write(
    `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  );
}

/** Six letters that distinguish the subsets of one document. */
function subsetTag(name: string): string {
  let rest = Number(name.slice(1));
  let tag = '';
  for (let letter = 0; letter < 6; letter++) {
    tag = String.fromCharCode(65 + (rest % 26)) + tag;
    rest = Math.trunc(rest / 26);
  }
  return tag;
}

const MAX_MAP_ROWS = 100;

function unicodeMap({ glyphs }: EmbeddedFont): string {
  const rows = glyphs.map(({ text }, index) => `<${hex4(index + 1)}> <${utf16Hex(text)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += MAX_MAP_ROWS) {
    const block = rows.slice(at, at + MAX_MAP_ROWS);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`);
  }
  return (
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n' +
    '/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n' +
    `${blocks.join('')}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`
  );
}

export function hex4(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, '0');
}
