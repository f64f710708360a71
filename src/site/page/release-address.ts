import { versionOfAnchor } from '../../core/anchors.ts';

/** The part of an address that asks the page of a component for a version, and perhaps for another one to move to. */
export interface AskedVersion {
  readonly version: string;
  readonly target?: string;
}

/** Undefined for the address of something else. */
export function askedIn(hash: string): AskedVersion | undefined {
  const [, version, target] = /^#(vv?\d.*?)(?:\.\.\.(.+))?$/i.exec(hash) ?? [];
  if (!version) return undefined;
  return { version: versionOfAnchor(version), ...(target && { target: versionOfAnchor(`v${target}`) }) };
}
