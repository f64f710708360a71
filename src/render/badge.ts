import type { Component } from '../policy/component.ts';
import { escapeXml } from './xml.ts';

interface Badge {
  label: string;
  /** What a badge that has no room for more says. */
  message: string;
  /** The verdict as a word; absent where the message is the word. */
  status?: string;
  color: string;
}

/** White text on each of these, and on the label's colour, has a contrast above 4.5:1. */
const colors = { supported: '#1a7f37', unsupported: '#b42318', unknown: '#57606a', label: '#333' };

function badgeOf({ name, judgement }: Component): Badge {
  if (judgement.latest) {
    return { label: name, message: judgement.latest.version, status: 'supported', color: colors.supported };
  }
  if (judgement.releases.length === 0) return { label: name, message: 'no releases', color: colors.unknown };
  return { label: name, message: 'none supported', color: colors.unsupported };
}

/** `badges/<component>.json`: what https://shields.io/badges/endpoint-badge reads. */
export function renderBadgeFile(component: Component): string {
  const { label, message, color } = badgeOf(component);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
}

/** `badges/<component>.svg`: a picture that says the same without any other service, and the status as a word. */
export function renderBadgePicture(component: Component): string {
  const { label, message, status, color } = badgeOf(component);
  const said = status === undefined ? message : `${shorten(message)} ${status}`;
  const name = escapeXml(`${label}: ${status === undefined ? message : `${message} ${status}`}`);
  const left = textWidth(label);
  const right = textWidth(said);
  const [labelWidth, messageWidth] = [left + 2 * padding, right + 2 * padding];
  const width = labelWidth + messageWidth;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${name}">`,
    `  <title>${name}</title>`,
    `  <rect width="${width}" height="20" rx="3" fill="${color}"/>`,
    `  <path d="M3 0h${labelWidth - 3}v20h${3 - labelWidth}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="${colors.label}"/>`,
    `  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">`,
    textAt(padding, left, label),
    textAt(labelWidth + padding, right, said),
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}

const padding = 6;
const maxShown = 40;

/** The width is stated, so that the text fits whatever font a reader has. */
function textAt(x: number, width: number, text: string): string {
  return `    <text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length > maxShown ? `${characters.slice(0, maxShown - 1).join('')}…` : text;
}

/** Width in pixels of a text in Verdana at 11 pixels, by classes of characters; wide scripts fill the square. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[ ijlftI.,:;|!'()[\]{}/\\-]/.test(character)) width += 4.6;
    else if (/[mwMW@%…]/.test(character)) width += 10;
    else if (/[A-Z]/.test(character)) width += 7.7;
    else width += character < '\u0250' ? 6.8 : 11;
  }
  return Math.ceil(width);
}
