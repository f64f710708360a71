import { describePhaseName, nameState, stateTones } from '../../../core/model/words.ts';
import { escapeMarkup, removeIllegalCharacters } from '../../../core/text/foreign-text.ts';
import type { Component } from '../../../decide/component.ts';

/** White text on each of these has a contrast above 4.5:1. */
const badgeColors = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const { message, phase, color } = describeBadge(component);
  const badge = {
    schemaVersion: 1,
    label: component.definition.title,
    message: joinWords(message, phase),
    color,
  };
  return `${JSON.stringify(badge)}\n`;
}

/** `badges/<component>.svg`, with the status as a word and without external resources. */
export function renderBadgePicture(component: Component): string {
  const { message, status, phase, color } = describeBadge(component);
  const label = component.definition.title;
  const words = joinWords(message, status, phase);
  const labelWidth = estimateWidth(label);
  const wordsWidth = estimateWidth(words);
  const name = escapeMarkup(`${label}: ${words}`);

  const elements = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${labelWidth + wordsWidth}" height="20" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<g><rect x="0" width="${labelWidth}" height="20" fill="#333"/><rect x="${labelWidth}" width="${wordsWidth}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `${drawText(label, 0)}${drawText(words, labelWidth)}</g></svg>\n`,
  ];
  return removeIllegalCharacters(elements.join(''));
}

/** The words and the colour of a badge: the status of the latest release, and the phase of its line if the line has several. */
function describeBadge({ judgement }: Component) {
  const { latest, lines, releases } = judgement;
  if (releases.length === 0) {
    return { message: 'no releases', color: badgeColors.none };
  }
  if (!latest) {
    const hasStable = releases.some(({ isPrerelease }) => !isPrerelease);
    return hasStable || releases.every(({ isDeprecated }) => isDeprecated)
      ? { message: 'none supported', color: badgeColors.over }
      : { message: 'prereleases only', color: badgeColors.none };
  }

  // Every release has a line.
  const { phase, phases } = lines.find((line) => line.name === latest.line)!;
  return {
    message: latest.version,
    status: nameState(latest.state),
    phase: phase && phases.length > 1 ? `(${describePhaseName(phase)})` : undefined,
    color: badgeColors[stateTones[latest.state]],
  };
}

function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(' ');
}

/** `textLength` fits the text where a font is narrower or wider. */
function drawText(words: string, x: number): string {
  const width = estimateWidth(words);
  return `<text x="${x + width / 2}" y="14" textLength="${width - 12}">${escapeMarkup(words)}</text>`;
}

/** In pixels. */
function estimateWidth(text: string): number {
  return [...text].length * 7 + 12;
}
