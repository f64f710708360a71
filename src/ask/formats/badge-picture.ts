import { escapeMarkup, withoutIllegalCharacters } from '../../core/text.ts';

/** White text on each of these has a contrast above 4.5:1. */
export const badgeColors = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** A label and, to its right, a message on a colour. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** An SVG without external resources: badges, one below the other. */
export function badgePicture(...badges: readonly Badge[]): string {
  const widest = (of: (badge: Badge) => string) =>
    Math.max(...badges.map((badge) => widthOf(of(badge))));
  const left = widest(({ label }) => label);
  const right = widest(({ message }) => message);
  const height = badges.length * 20;
  const name = escapeMarkup(badges.map(({ label, message }) => `${label}: ${message}`).join(', '));
  const text = (words: string, x: number, width: number, row: number) =>
    `<text x="${x + width / 2}" y="${row * 20 + 14}" textLength="${widthOf(words) - 12}">${escapeMarkup(words)}</text>`;
  const grounds = badges.map(
    ({ color }, row) =>
      `<rect x="${left}" y="${row * 20}" width="${right}" height="20" fill="${color}"/>`,
  );
  const texts = badges.map(
    ({ label, message }, row) => text(label, 0, left, row) + text(message, left, right, row),
  );
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<g><rect x="0" width="${left}" height="${height}" fill="#333"/>${grounds.join('')}</g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `${texts.join('')}</g></svg>\n`,
  ];
  return withoutIllegalCharacters(lines.join(''));
}

/** In pixels. `textLength` fits the text where a font is narrower or wider. */
function widthOf(text: string): number {
  return [...text].length * 7 + 12;
}
