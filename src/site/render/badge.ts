import type { DetailsOn } from '../../ask/details-on.ts';
import { supportedLines } from '../../ask/supported-lines.ts';
import { badgeColors, badgePicture } from '../../ask/formats/badge-picture.ts';
import { severalPhases } from '../../core/phases.ts';
import { phaseLabel, stateLabels, stateTones } from '../../core/words.ts';
import type { Component } from '../../decide/component.ts';

/** `status`: the verdict, for the picture; empty if the message already states it. */
function badgeOf({ definition: { title }, judgement: { latest, lines, releases } }: Component) {
  if (latest) {
    // Examples contain only some of the lines.
    const { phase, phases } = lines.find((line) => line.name === latest.line) ?? {};
    const inPhase = phase && severalPhases(phases).length > 0 ? ` (${phaseLabel(phase)})` : '';
    const status = ` ${stateLabels[latest.state].toLowerCase()}`;
    return {
      label: title,
      message: latest.version,
      status,
      inPhase,
      color: badgeColors[stateTones[latest.state]],
    };
  }
  return releases.length === 0
    ? { label: title, message: 'no releases', status: '', inPhase: '', color: badgeColors.none }
    : { label: title, message: 'none supported', status: '', inPhase: '', color: badgeColors.over };
}

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const { label, message, inPhase, color } = badgeOf(component);
  return `${JSON.stringify({ schemaVersion: 1, label, message: message + inPhase, color })}\n`;
}

/** `badges/<component>.svg`, with the status as a word. */
export function renderBadgePicture(component: Component): string {
  const { label, message, status, inPhase, color } = badgeOf(component);
  return badgePicture({ label, message: message + status + inPhase, color });
}

/** `badges/<component>/lines.svg`: the supported release lines. */
export function renderLinesPicture(details: DetailsOn): string {
  const { title } = details;
  const badges = supportedLines(details).map(({ line, state, support }) => ({
    label: `${title} ${line}`,
    message: support,
    color: badgeColors[stateTones[state]],
  }));
  if (badges.length > 0) {
    return badgePicture(...badges);
  }
  return badgePicture({
    label: title,
    message: 'no line is known to be supported',
    color: badgeColors.none,
  });
}
