/** Converts versions to the part of a URL after `#`, and back. */

/**
 * Returns an HTML id for a version, which is safe in a URL: `1.0:2` → `v1.0~3a~2`. Letters, digits and `._+-` stay. Other characters become
 * code points.
 */
export function nameAnchor(version: string): string {
  const escape = (character: string) => `~${character.codePointAt(0)!.toString(16)}~`;
  return `v${version.replace(/[^\w.+-]/gu, escape)}`;
}

/** Returns the version that an anchor names, or undefined if it doesn't name a version. */
export function readAnchor(anchor: string): string | undefined {
  const [, version] = /^v(v*\d.*)/i.exec(anchor) ?? [];
  return version?.replaceAll(/~([\da-f]{1,5})~/g, (_, code: string) =>
    String.fromCodePoint(parseInt(code, 16)),
  );
}

/** Decodes the part of a URL after `#`. A text with an invalid escape, such as `100%`, stays as it is. */
export function decodeAnchor(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
