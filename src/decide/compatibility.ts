import { greatestGood, judgePair, type JudgedPair, type Statements } from '../core/works-with.ts';
import { defined } from '../core/text.ts';
import type { Component } from './component.ts';

/** A component with compatibility statements by or about it; only the parts that tables and presets need. */
export interface Partner extends Statements {
  readonly title: string;
  readonly renamedFrom: readonly string[];
  /** Oldest first, with the releases to offer. */
  readonly lines: readonly PartnerLine[];
}

export interface PartnerLine {
  readonly name: string;
  readonly isOpen: boolean;
  readonly releases: readonly { readonly version: string }[];
}

export type Partners = ReadonlyMap<string, Partner>;

export function partnerOf({ name, definition, judgement, statedBy }: Component): Partner {
  const lines = judgement.lines.map((line) => ({
    name: line.name,
    isOpen: line.isSupported !== false,
    releases: line.releases.filter(({ isPrerelease, state }) => !isPrerelease && state !== 'withdrawn'),
  }));
  return {
    component: name,
    title: definition.title,
    renamedFrom: definition.renamedFrom ?? [],
    worksWith: definition.worksWith,
    statedBy,
    lines: lines.filter(({ releases }) => releases.length > 0),
  };
}

/** The latest version represents its line. */
export function versionOfLine({ releases }: PartnerLine): string {
  return releases.at(-1)!.version;
}

/** `good`: the greatest version of the other component that works with a line. */
export function releasesBeside(partner: Partner, line: PartnerLine, other: Partner): { good?: string } {
  const own = versionOfLine(line);
  const releases = other.lines.flatMap((each) => each.releases);
  const { good } = greatestGood(releases, ({ version }) => pairOf(partner, own, other, version).answer);
  return defined({ good: good?.version });
}

export function pairOf(partner: Partner, own: string, other: Partner, version: string): JudgedPair {
  return judgePair(partner, own, { component: other.component, version });
}
