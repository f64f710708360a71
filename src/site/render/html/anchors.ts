import type { ChangeEntry } from '../../../record/journal/events/change-entries.ts';

/** `#` and the anchor of the changed release or line, the last of several. Empty for other changes, and for excluded releases. */
export function nameChangeAnchor(
  change: Pick<ChangeEntry, 'type' | 'version' | 'line' | 'last'>,
): string {
  const { version, line } = change.last ?? change;
  if (version !== undefined) {
    return change.type === 'excluded' ? '' : `#${nameReleaseAnchor(version)}`;
  }

  return line === undefined ? '' : `#line-${line}`;
}

/**
 * A text as a part of an id. A character that is unsafe in an id or an address becomes its code point between tildes, so ids of
 * different texts differ and need no escaping.
 */
export function escapeForId(text: string): string {
  return text.replace(
    /[^A-Za-z0-9._+-]/gu,
    (character) => `~${character.codePointAt(0)!.toString(16)}~`,
  );
}

/** Id of a release on the page of its component: `v2025.3.1`. */
export function nameReleaseAnchor(version: string): string {
  return `v${escapeForId(version)}`;
}

/** The version in an id from `nameReleaseAnchor`. Six digits could exceed the last code point, and no version needs them. */
export function readReleaseAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
