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

// eslint-disable-next-line no-control-regex -- these are the ones to find
const illegal = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
