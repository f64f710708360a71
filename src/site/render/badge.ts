import { makeBadge } from 'badge-maker';
import type { Component } from '../../decide/component.ts';
import { withoutIllegalCharacters } from './xml.ts';

/** White text on each of these has a contrast above 4.5:1. */
const colors = {
  supported: '#1a7f37',
  listed: '#57606a',
  unsupported: '#b42318',
  unknown: '#57606a',
  label: '#333',
};

/** `status`: the verdict, for the picture; empty if the message has it. */
function badgeOf({ name, judgement: { latest, releases } }: Component) {
  if (latest) {
    const status = latest.isSupported === undefined ? 'listed' : 'supported';
    return { label: name, message: latest.version, status: ` ${status}`, color: colors[status] };
  }
  return releases.length === 0
    ? { label: name, message: 'no releases', status: '', color: colors.unknown }
    : { label: name, message: 'none supported', status: '', color: colors.unsupported };
}

/** `badges/<component>.json`, for https://shields.io/badges/endpoint-badge. */
export function renderBadgeFile(component: Component): string {
  const { label, message, color } = badgeOf(component);
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
}

/** `badges/<component>.svg`: a picture that needs no other service, with the status as a word. */
export function renderBadgePicture(component: Component): string {
  const { label, message, status, color } = badgeOf(component);
  const picture = makeBadge({
    // The only style without gradient and shadow, which would lower the contrast.
    style: 'flat-square',
    label,
    message: withoutIllegalCharacters(message + status),
    labelColor: colors.label,
    color,
  });
  return `${picture}\n`;
}
