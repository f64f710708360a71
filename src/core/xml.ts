/**
 * XML 1.0, section 2.2, does not admit these in any form (control characters, half of a surrogate pair, U+FFFE): a reader
 * rejects a document that contains one.
 */
export function withoutIllegalCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '');
}
