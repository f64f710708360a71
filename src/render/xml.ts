/**
 * A text for an XML document, between tags or in a quoted attribute. What XML 1.0 section 2.2 does not admit in any
 * spelling (control characters, half of a surrogate pair, U+FFFE) is left out: one such character makes a reader refuse
 * the whole document.
 */
export function escapeXml(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(illegal, '')
    .replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

const needsEscape = /[^\t\n !#-%(-;=?-~]/;

const illegal = /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
