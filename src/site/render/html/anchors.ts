import type { ChangeEntry } from '../../../record/journal/events/change-entries.ts';

/** `#` and the anchor of the changed release or line, the last of several. Empty for other changes, and for excluded releases. */
export function nameChangeAnchor(
  change: Pick<ChangeEntry, 'type' | 'version' | 'line' | 'last'>,
): string {
  const { version, line } = change.last ?? change;
  if (version !== undefined) {
    return change.type === 'excluded' ? '' : `#${nameReleaseAnchor(version)}`;
  }

  return line === undefined ? '' : `#${nameLineAnchor(line)}`;
}

/** Id of a line on the page of its component: `line-2025.3`. */
export function nameLineAnchor(line: string): string {
  return `line-${line}`;
}

/** The line in an id from `nameLineAnchor`. */
export function readLineAnchor(anchor: string): string {
  return anchor.slice(nameLineAnchor('').length);
}

/**
 * Id of a release on the page of its component: `v2025.3.1`. A character that is unsafe in an id or an address becomes its code point
 * between tildes, so ids of different versions differ and need no escaping.
 */
export function nameReleaseAnchor(version: string): string {
  const escaped = version.replace(
    /[^A-Za-z0-9._+-]/gu,
    (character) => `~${character.codePointAt(0)!.toString(16)}~`,
  );
  return `v${escaped}`;
}

/** The version in an id from `nameReleaseAnchor`. Six digits could exceed the last code point, and no version needs them. */
export function readReleaseAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
