import { versionOfAnchor } from '../../core/text/anchors.ts';

/** A version in the address of a component page, and the version to move to, if there is one. */
export interface AskedVersion {
  readonly version: string;
  readonly target?: string;
}

/** Undefined if the fragment names no version. */
export function askedIn(hash: string): AskedVersion | undefined {
  const [, version, target] = /^#(vv?\d.*?)(?:\.\.\.(.+))?$/i.exec(hash) ?? [];
  if (!version) {
    return undefined;
  }

  return {
    version: versionOfAnchor(version),
    ...(target && { target: versionOfAnchor(`v${target}`) }),
  };
}
