import type { Language } from '../../platform/lib/language.ts';
import { EmbeddedFonts } from '../pdf/embedded-fonts.ts';
import { loadEngines } from '../pdf/font-faces.ts';
import { PAGE_HEIGHT, PAGE_WIDTH, type PageCanvas } from '../pdf/page-canvas.ts';
import { PdfWriter, pdfDate, pdfText } from '../pdf/pdf-writer.ts';
import { Typesetter } from '../pdf/typesetter.ts';
import type { CreditNoteDocument } from './credit-note-document.ts';
import { describeCreditNote } from './describe-credit-note.ts';
import { describeInvoice, type InvoiceText, textsOf } from './describe-invoice.ts';
import { describeReport } from './describe-report.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { layOutInvoice } from './lay-out-invoice.ts';
import { layOutReport } from './lay-out-report.ts';
import { type LogoImage, openLogo } from './logo-image.ts';
import type { ReportDocument } from './report-document.ts';

/** An invoice as a PDF file. The same invoice gives the same bytes, whatever the hour and the machine. */
export async function renderInvoicePdf(document: InvoiceDocument): Promise<Uint8Array> {
  return renderInvoice(describeInvoice(document), document);
}

/** A credit note on the same paper. */
export async function renderCreditNotePdf(document: CreditNoteDocument): Promise<Uint8Array> {
  return renderInvoice(describeCreditNote(document), document);
}

/** A monthly report, for an accountant. */
export async function renderReportPdf(document: ReportDocument): Promise<Uint8Array> {
  const words = describeReport(document);
  return render({ ...words, name: words.facts[0]![1] }, document, (...place) =>
    layOutReport(words, ...place),
  );
}

function renderInvoice(words: InvoiceText, document: Dated): Promise<Uint8Array> {
  return render({ ...words, name: words.facts[0]![1] }, document, (...place) =>
    layOutInvoice(words, ...place),
  );
}

type Dated = Pick<InvoiceDocument, 'logo' | 'issuedAt'>;

async function render(
  words: { language: Language; title: string; name: string; issuer: string },
  document: Dated,
  layOut: (
    typesetter: Typesetter,
    fonts: EmbeddedFonts,
    logo: LogoImage | undefined,
  ) => Promise<PageCanvas[]>,
): Promise<Uint8Array> {
  const fonts = new EmbeddedFonts();
  const typesetter = await Typesetter.open(textsOf(words));
  const logo = await openLogo(document.logo);
  const pages = await layOut(typesetter, fonts, logo);
  const { subsetter } = await loadEngines();
  const writer = new PdfWriter();
  const image = logo && `/Logo ${await logo.write(writer)} 0 R`;
  const catalog = await writePages(
    writer,
    pages,
    await fonts.write(writer, subsetter),
    image,
    words.language,
  );
  const title = pdfText(`${words.title} ${words.name}`);
  const issued = pdfDate(document.issuedAt);
  const info = writer.write(
    `<< /Title ${title} /Author ${pdfText(words.issuer)} /Producer (Florin) /CreationDate ${issued} /ModDate ${issued} >>`,
  );
  return writer.finish(catalog, info);
}

/** Writes the page tree and gives the number of the document's root. */
async function writePages(
  writer: PdfWriter,
  pages: PageCanvas[],
  fonts: string,
  logo: string | undefined,
  language: Language,
): Promise<number> {
  const tree = writer.reserve();
  const kids: string[] = [];
  const images = logo === undefined ? '' : ` /XObject << ${logo} >>`;
  for (const page of pages) {
    const content = await writer.writeStream(page.content());
    const id = writer.write(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}] ` +
        `/Resources << /Font << ${fonts} >>${images} >> /Contents ${content} 0 R${page.annotations()} >>`,
    );
    kids.push(`${id} 0 R`);
  }
  writer.write(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`, tree);
  return writer.write(
    `<< /Type /Catalog /Pages ${tree} 0 R /Lang (${language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
  );
}
