/** A change of a version, of a release line, or of several versions. */
interface ChangedSubject {
  readonly type: string;
  readonly version?: string | undefined;
  readonly line?: string | undefined;
  readonly subjects?: readonly string[];
}

/** `#` and the anchor of the changed release; empty if the page does not show the release. */
export function changeAnchor({ type, version, line, subjects }: ChangedSubject): string {
  const subject = version ?? subjects?.at(-1);
  if (subject === undefined) {
    return line === undefined ? '' : `#line-${line}`;
  }

  return type === 'excluded' ? '' : `#${releaseAnchor(subject)}`;
}

/**
 * Id of a release on the page of its component: `v2025.3.1`. A character that is unsafe in an id or an address becomes its code
 * point between tildes, so ids are unique and need no escaping.
 */
export function releaseAnchor(version: string): string {
  return `v${version.replace(/[^A-Za-z0-9._+-]/gu, (character) => `~${character.codePointAt(0)!.toString(16)}~`)}`;
}

/** The version in an id from `releaseAnchor`. */
export function versionOfAnchor(anchor: string): string {
  return anchor
    .slice(1)
    .replace(/~([0-9a-f]{1,5})~/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
