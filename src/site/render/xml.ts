/** A text for an XML document, between tags or in a quoted attribute. */
export function escapeXml(text: string): string {
  return withoutIllegalCharacters(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/**
 * XML 1.0, section 2.2, does not admit these in any form (control characters, half of a surrogate pair, U+FFFE): a reader
 * rejects a document that contains one.
 */
export function withoutIllegalCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
