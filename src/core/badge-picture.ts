import { withoutIllegalCharacters } from './text.ts';

/** White text on each of these has a contrast above 4.5:1. */
export const badgeColors = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** A picture in SVG that needs no other service: a label, and a message on a colour. */
export function badgePicture(label: string, message: string, color: string): string {
  const [left, right] = [widthOf(label), widthOf(message)];
  const name = escapeXml(`${label}: ${message}`);
  const text = (words: string, x: number, width: number) =>
    `<text x="${x + width / 2}" y="14" textLength="${width - 12}">${escapeXml(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<g><rect x="0" width="${left}" height="20" fill="#333"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `${text(label, 0, left)}${text(message, left, right)}</g></svg>\n`,
  ].join('');
}

function escapeXml(text: string): string {
  return withoutIllegalCharacters(text).replaceAll(
    /[&<>"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** In pixels. `textLength` fits the text where a font is narrower or wider. */
function widthOf(text: string): number {
  return [...text].length * 7 + 12;
}
