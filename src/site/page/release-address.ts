import { releaseAnchor, versionOfAnchor } from '../render/addresses.ts';

/** The part of an address that asks the page of a component for a version, and perhaps for another one to move to. */
export interface AskedVersion {
  readonly version: string;
  readonly target?: string;
}

/** `#v2025.1`, or `#v2025.1...2026.3`. */
export function hashOf(version: string, target?: string): string {
  return `#${releaseAnchor(version)}${target ? `...${releaseAnchor(target).slice(1)}` : ''}`;
}

/** Undefined for the address of something else. */
export function askedIn(hash: string): AskedVersion | undefined {
  const [, version, target] = /^#(vv?\d.*?)(?:\.\.\.(.+))?$/i.exec(hash) ?? [];
  if (!version) return undefined;
  return { version: versionOfAnchor(version), ...(target && { target: versionOfAnchor(`v${target}`) }) };
}

/** Address of a release, on the page of its component. */
export function releaseAddress(component: string, version: string): string {
  return `${component}.html#${releaseAnchor(version)}`;
}
