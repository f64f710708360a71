import { greatestGood, judgePair, type JudgedPair, type Statements } from '../core/works-with.ts';
import { defined } from '../core/text.ts';
import type { Component } from './component.ts';

/** A component that states something about others, or about which others do; as much as tables and presets need. */
export interface Partner extends Statements {
  readonly title: string;
  /** Earlier names. */
  readonly renamedFrom: readonly string[];
  /** Oldest first, each with the releases that can be offered. */
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

/** The version that stands for a line: its latest. */
export function versionOfLine({ releases }: PartnerLine): string {
  return releases.at(-1)!.version;
}

/** Releases of one component beside a line of another: the greatest that is good, or else the greatest of which nothing is stated. */
export interface BesideLine {
  readonly good?: string;
  readonly notStated?: string;
}

export function releasesBeside(partner: Partner, line: PartnerLine, other: Partner): BesideLine {
  const own = versionOfLine(line);
  const releases = other.lines.flatMap((each) => each.releases);
  const { good, notStated } = greatestGood(
    releases,
    ({ version }) => pairOf(partner, own, other, version).answer,
  );
  return defined({ good: good?.version, notStated: notStated?.version });
}

export function pairOf(partner: Partner, own: string, other: Partner, version: string): JudgedPair {
  return judgePair(partner, own, { component: other.component, version });
}
