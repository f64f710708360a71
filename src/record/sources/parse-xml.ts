import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { showUrl } from '../../io/http/error.ts';
import { toLine } from '../../core/text.ts';
import { expectFewParts } from './elements.ts';
import { SourceError } from './source.ts';

/**
 * An XML document as objects in which every value is a text. A DOCTYPE is refused, because the entities it declares can
 * expand without end and no document we read has one. The parser alone accepts malformed documents, hence the validator.
 */
export function parseXml(url: string, text: string, listElements: readonly string[]): unknown {
  const at = showUrl(url);
  if (/<!DOCTYPE/i.test(text))
    throw new SourceError(`${at}: has a DOCTYPE, which this kind of document never has. Not read`);
  expectFewParts(url, text, /</g, 500_000);
  const validity = XMLValidator.validate(text);
  if (validity !== true)
    throw new SourceError(
      `${at}: is not well-formed XML: ${toLine(validity.err.msg, 200)} (line ${validity.err.line})`,
    );
  const parser = new XMLParser({
    processEntities: false,
    ignoreDeclaration: true,
    // Otherwise 1.10 becomes the number 1.1.
    parseTagValue: false,
    isArray: (_name, path) => listElements.includes(String(path)),
  });
  try {
    return parser.parse(text);
  } catch (error) {
    // It throws plain errors, for instance on elements nested a hundred deep.
    throw new SourceError(`${at}: cannot be read as XML: ${toLine((error as Error).message, 200)}`, {
      cause: error,
    });
  }
}
