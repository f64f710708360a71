import { badgeColors, badgePicture } from '../../core/badge-picture.ts';
import type { Component } from '../../decide/component.ts';

/** `status`: the verdict, for the picture; empty if the message has it. */
function badgeOf({ name, judgement: { latest, releases } }: Component) {
  if (latest) {
    const [status, color] =
      latest.isSupported === undefined ? ['listed', badgeColors.neutral] : ['supported', badgeColors.good];
    return { label: name, message: latest.version, status: ` ${status}`, color };
  }
  return releases.length === 0
    ? { label: name, message: 'no releases', status: '', color: badgeColors.neutral }
    : { label: name, message: 'none supported', status: '', color: badgeColors.bad };
}

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const { label, message, color } = badgeOf(component);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
}

/** `badges/<component>.svg`, with the status as a word. */
export function renderBadgePicture(component: Component): string {
  const { label, message, status, color } = badgeOf(component);
  return badgePicture(label, message + status, color);
}
