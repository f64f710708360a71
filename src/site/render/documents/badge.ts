import { listIfSeveral } from '../../../core/model/phases.ts';
import { describePhaseName, stateLabels, stateTones } from '../../../core/model/words.ts';
import { escapeMarkup, removeIllegalCharacters } from '../../../core/text/foreign-text.ts';
import type { Component } from '../../../decide/component.ts';

/** White text on each of these has a contrast above 4.5:1. */
const badgeColors = { ok: '#1a7f37', soon: '#a85605', over: '#b42318', none: '#57606a' };

/** The words right of the title. Only the picture has the status, unless the message already states it. */
function describeBadge({ judgement }: Component) {
  const { latest, lines, releases } = judgement;
  if (!latest) {
    const [message, color] =
      releases.length === 0
        ? ['no releases', badgeColors.none]
        : ['none supported', badgeColors.over];
    return { message, status: '', phase: '', color };
  }

  // Every release has a line.
  const { phase, phases } = lines.find((line) => line.name === latest.line)!;
  return {
    message: latest.version,
    status: stateLabels[latest.state].toLowerCase(),
    phase: phase && listIfSeveral(phases).length > 0 ? `(${describePhaseName(phase)})` : '',
    color: badgeColors[stateTones[latest.state]],
  };
}

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const badge = describeBadge(component);
  const message = [badge.message, badge.phase].filter(Boolean).join(' ');
  const label = component.definition.title;
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: badge.color })}\n`;
}

/** `badges/<component>.svg`, with the status as a word and without external resources. */
export function renderBadgePicture(component: Component): string {
  const { message, status, phase, color } = describeBadge(component);
  const label = component.definition.title;
  const words = [message, status, phase].filter(Boolean).join(' ');
  const labelWidth = estimateWidth(label);
  const wordsWidth = estimateWidth(words);
  const name = escapeMarkup(`${label}: ${words}`);

  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${labelWidth + wordsWidth}" height="20" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<g><rect x="0" width="${labelWidth}" height="20" fill="#333"/><rect x="${labelWidth}" width="${wordsWidth}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `${drawText(label, 0)}${drawText(words, labelWidth)}</g></svg>\n`,
  ];
  return removeIllegalCharacters(lines.join(''));
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
