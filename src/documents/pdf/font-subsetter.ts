import assert from 'node:assert';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The functions of HarfBuzz's subsetter that are used here; every argument and answer is a number or an address. */
interface Exports {
  memory: { buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

/** Node's own, which the types in use here leave out. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate(code: Uint8Array): Promise<{ instance: { exports: unknown } }> };
};

const READ_ONLY = 1;
const DROPPED_TABLES = 3;
const NO_HINTING = 0x1;
const RETAIN_GLYPH_IDS = 0x2;
const NO_LAYOUT_CLOSURE = 0x200;
/** A reader of a PDF draws by glyph number: it needs outlines and widths, and nothing that finds or arranges them. */
const UNUSED_TABLES = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'STAT',
  'name',
  'post',
  'OS/2',
  'cmap',
  'gasp',
  'DSIG',
];

export interface Subsetter {
  /** The font at one weight with these glyphs alone, each under the number it had. */
  cut(font: Buffer, weight: number, glyphs: Iterable<number>): Buffer;
}

/** HarfBuzz subsets fonts in its own WebAssembly memory, which is freed afterwards. */
export async function loadSubsetter(): Promise<Subsetter> {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(path));
  const hb = instance.exports as Exports;
  hb._initialize();
  return {
    cut: (font, weight, glyphs) =>
      subset(hb, font, (input, face) => {
        assert(hb.hb_subset_input_pin_axis_location(input, face, tag('wght'), weight), 'no weight axis');
        hb.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GLYPH_IDS | NO_LAYOUT_CLOSURE);
        const dropped = hb.hb_subset_input_set(input, DROPPED_TABLES);
        for (const table of UNUSED_TABLES) hb.hb_set_add(dropped, tag(table));
        const kept = hb.hb_subset_input_glyph_set(input);
        for (const glyph of glyphs) hb.hb_set_add(kept, glyph);
      }),
  };
}

function subset(hb: Exports, font: Buffer, choose: (input: number, face: number) => void): Buffer {
  const data = hb.malloc(font.length);
  new Uint8Array(hb.memory.buffer).set(font, data);
  const blob = hb.hb_blob_create(data, font.length, READ_ONLY, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  const input = hb.hb_subset_input_create_or_fail();
  try {
    choose(input, face);
    const result = hb.hb_subset_or_fail(face, input);
    assert(result !== 0, 'the font could not be cut');
    const out = hb.hb_face_reference_blob(result);
    const start = hb.hb_blob_get_data(out, 0);
    const bytes = Buffer.from(hb.memory.buffer.slice(start, start + hb.hb_blob_get_length(out)));
    hb.hb_blob_destroy(out);
    hb.hb_face_destroy(result);
    return bytes;
  } finally {
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(face);
    hb.hb_blob_destroy(blob);
    hb.free(data);
  }
}

function tag(name: string): number {
  return Buffer.from(name.padEnd(4)).readUInt32BE();
}
