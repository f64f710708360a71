/**
 * Id of a release on the page of its component: `v2025.3.1`. What is not safe both in an id and in an address becomes its
 * code point between tildes, so that any two versions have two ids and none needs escaping anywhere.
 */
export function releaseAnchor(version: string): string {
  return `v${version.replace(/[^A-Za-z0-9._+-]/gu, encodeCharacter)}`;
}

function encodeCharacter(character: string): string {
  return `~${character.codePointAt(0)!.toString(16)}~`;
}
