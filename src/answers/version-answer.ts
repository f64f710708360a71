import type { Day } from '../dates.ts';
import type { Component } from '../policy/component.ts';
import type { JudgedRelease } from '../policy/judge.ts';
import { defined } from '../text.ts';
import { moveFrom, releasesBetween, type Movable, type MovableRelease, type Move } from './move.ts';

/** A release of a component that was judged, or of its `details/`. */
interface AskedRelease extends MovableRelease {
  readonly reasons?: readonly { readonly text: string }[] | undefined;
  readonly upcoming?: readonly { readonly from?: Day | undefined }[] | undefined;
}

/** What somebody who uses a version has to know, for a program. */
export interface VersionAnswer {
  readonly isDeprecated: boolean;
  /** Why; empty where it is not deprecated. */
  readonly reasons: readonly string[];
  /** The first day on which it will be deprecated, where one is known. */
  readonly until?: Day;
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: Move;
  readonly releasesBetween: readonly { readonly version: string; readonly isDeprecated: boolean }[];
}

export function answerVersion(component: Movable, release: AskedRelease): VersionAnswer {
  const { isDeprecated, reasons = [], upcoming = [] } = release;
  const moveTo = moveFrom(component, release);
  const between = releasesBetween(component, release, moveTo);
  return defined({
    isDeprecated,
    reasons: reasons.map(({ text }) => text),
    until: isDeprecated ? undefined : upcoming[0]?.from,
    moveTo,
    releasesBetween: between.map(({ version, isDeprecated }) => ({ version, isDeprecated })),
  });
}

/** A component as these questions want it. */
export function movable({ name, definition, judgement, replacement }: Component): Movable<JudgedRelease> {
  const { replacedBy } = definition;
  const other = replacement ?? (replacedBy === undefined ? undefined : { name: replacedBy });
  return { name, releases: judgement.releases, ...(other && { replacement: other }) };
}
