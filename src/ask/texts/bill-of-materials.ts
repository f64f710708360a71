import { isObject } from '../../core/model/objects.ts';
import { createLineFinder, findRepeatedKeys } from '../../core/text/document-text.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { readEntries } from './bill-entries.ts';
import type { Fields } from './bill-values.ts';
import { describeUnread, readCycloneDx } from './read-cyclonedx.ts';
import { readSpdx } from './read-spdx.ts';
import type { ReadText } from './text-entries.ts';

type Format = 'CycloneDX' | 'SPDX';
const formats: readonly Format[] = ['CycloneDX', 'SPDX'];

/** The key of the list of packages of a format. The other format does not have it. */
const listKeys = { CycloneDX: 'components', SPDX: 'packages' } as const;

/**
 * Reads a bill of materials in JSON; undefined for a text that neither names a format nor has the list of one. A bill that cannot be
 * read is rejected with its problems, as is one in XML.
 */
export function readBill(content: string): ReadText | undefined {
  if (/^\s*(?:<\?xml[^>]{0,200}>\s*)?<bom\b/.test(content.slice(0, 500))) {
    return rejectBill('XML is not supported; write the bill of materials as JSON');
  }
  if (!/^\s*\{/.test(content)) {
    return undefined;
  }

  // A broken document and one of SPDX 3 are rejected as bills, too.
  const mentionsFormat = /"(?:bomFormat|spdxVersion)"|spdx\.org\/rdf\/3/.test(content);
  const document = parseJson(content);
  if (document instanceof Error) {
    return mentionsFormat ? rejectBill(document.message) : undefined;
  }
  if (!mentionsFormat && !looksLikeBill(document)) {
    return undefined;
  }

  const problems = findRepeatedKeys(content).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  return problems.length > 0 ? rejectBill(...problems) : readDocument(document, content);
}

function parseJson(text: string): Fields | Error {
  try {
    return JSON.parse(text) as Fields;
  } catch (error) {
    return error as Error;
  }
}

/** Whether a document that names no format has the list of one, or the wrapper of GitHub. */
function looksLikeBill(document: Fields): boolean {
  return (
    formats.some((format) => Array.isArray(document[listKeys[format]])) ||
    isObject(document['sbom'])
  );
}

/** Reads a document in its format, if it has only one. */
function readDocument(outer: Fields, content: string): ReadText {
  // GitHub wraps the exported document in another object.
  const { sbom } = outer;
  const document = isObject(sbom) ? sbom : outer;
  const format = formats.find((each) => declaresFormat(document, each));
  if (!format) {
    return rejectBill('expected CycloneDX (bomFormat) or SPDX 2 (spdxVersion); it is neither');
  }

  const documents = new Set([outer, document]);
  const parts = [...documents].flatMap((each) => formats.filter((one) => hasParts(each, one)));
  if (parts.length > 1) {
    return rejectBill(
      `expected one document; got ${parts.join(' and ')} in it. Scan each by itself`,
    );
  }

  const findLine = createLineFinder(content);
  return format === 'SPDX'
    ? readEntries(readSpdx(document), findLine)
    : { ...readEntries(readCycloneDx(document), findLine), notes: describeUnread(document) };
}

/** Whether a document declares a format, or has its list. */
function hasParts(document: Fields, format: Format): boolean {
  return declaresFormat(document, format) || listKeys[format] in document;
}

function declaresFormat(document: Fields, format: Format): boolean {
  return format === 'SPDX' ? 'spdxVersion' in document : document['bomFormat'] === format;
}

function rejectBill(...problems: readonly string[]): ReadText {
  return { entries: [], problems };
}
