import type { Day } from '../dates.ts';
import type { ComponentState } from '../policy/component.ts';
import type { Finding } from '../model/finding.ts';
import type { Root } from '../store/root.ts';
import { sha256 } from '../store/sha256.ts';
import type { Inputs } from './inputs.ts';

export interface BuildOptions {
  root: Root;
  /** Absolute. */
  out: string;
  day: Day;
  baseUrl?: string;
}

export interface BuiltSite {
  files: number;
  written: number;
  removed: number;
  components: readonly ComponentState[];
  findings: readonly Finding[];
}

/** Digest of what every file is made with but for the day. */
export function sharedDigest(inputs: Inputs, { baseUrl = '' }: BuildOptions): string {
  return sha256([inputs.digestShared(), baseUrl, process.version].join('\n'));
}
