import { releaseAnchor, versionOfAnchor } from '../render/addresses.ts';

/** What the address of a component's page asks: a version, and perhaps another one to move to. */
export interface Asked {
  readonly version: string;
  readonly target?: string;
}

/** `#v2025.1`, or `#v2025.1...2026.3`. */
export function hashOf(version: string, target?: string): string {
  return `#${releaseAnchor(version)}${target ? `...${releaseAnchor(target).slice(1)}` : ''}`;
}

/** Undefined for the address of something else. */
export function askedIn(hash: string): Asked | undefined {
  const [, version, target] = /^#(vv?\d.*?)(?:\.\.\.(.+))?$/i.exec(hash) ?? [];
  if (!version) return undefined;
  return { version: versionOfAnchor(version), ...(target && { target: versionOfAnchor(`v${target}`) }) };
}
