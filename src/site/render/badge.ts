import { badgeColors, badgePicture } from '../../core/badge-picture.ts';
import { phaseLabel } from '../../core/phases.ts';
import type { Component } from '../../decide/component.ts';

/** `status`: the verdict, for the picture; empty if the message has it. */
function badgeOf({ name, judgement: { latest, lines, releases } }: Component) {
  if (latest) {
    // Examples hold some of the lines.
    const phase = lines.find((line) => line.name === latest.line)?.phase;
    const inPhase = phase ? ` (${phaseLabel(phase)})` : '';
    const [status, color] =
      latest.isSupported === undefined ? ['listed', badgeColors.neutral] : ['supported', badgeColors.good];
    return { label: name, message: latest.version, status: ` ${status}`, inPhase, color };
  }
  return releases.length === 0
    ? { label: name, message: 'no releases', status: '', inPhase: '', color: badgeColors.neutral }
    : { label: name, message: 'none supported', status: '', inPhase: '', color: badgeColors.bad };
}

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const { label, message, inPhase, color } = badgeOf(component);
  return `${JSON.stringify({ schemaVersion: 1, label, message: message + inPhase, color })}\n`;
}

/** `badges/<component>.svg`, with the status as a word. */
export function renderBadgePicture(component: Component): string {
  const { label, message, status, inPhase, color } = badgeOf(component);
  return badgePicture(label, message + status + inPhase, color);
}
