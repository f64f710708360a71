/** One component, judged from its recorded releases. */
import type { Day } from '../../src/core/day.ts';
import { Definition } from '../../src/core/schema/definition.ts';
import type { Component, Line, Release } from '../../src/core/schema/published.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { judgeAll, type Subject } from '../../src/judge/judge.ts';
import { links } from './index-folder.ts';

type RecordedRelease = Recorded['releases'][number];

/** Ends are those of recorded lines. */
export const statedPolicy = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'svc' },
};

/** A release of the day that upstream states, else without any day. */
export function release(version: string, day?: Day, more: Partial<RecordedRelease> = {}) {
  const dated = day === undefined ? {} : { releaseTimestamp: day, timestampKind: 'published' };
  return { version, sources: [], ...dated, ...more } as RecordedRelease;
}

/** A release that was first seen on a day, and perhaps missing before. */
export function observed(version: string, day: Day, notBefore?: Day) {
  return release(version, day, { timestampKind: 'observed', ...(notBefore && { notBefore }) });
}

export function subjectOf(
  releases: readonly RecordedRelease[],
  definition: object = {},
  recorded: object = {},
  name = 'svc',
): Subject {
  return {
    name,
    definition: Definition.parse({
      ...{ title: 'Server', ...links, sources: [] },
      ...definition,
    }),
    recorded: { releases: [...releases], ...recorded },
  };
}

export function judgeOn(
  day: Day,
  releases: readonly RecordedRelease[],
  definition: object = {},
  recorded: object = {},
): Component {
  return judgeAll([subjectOf(releases, definition, recorded)], day)[0]!;
}

export function lineOf({ lines }: Component, name: string): Line {
  return lines.find(({ line }) => line === name)!;
}

export function releaseOf({ releases }: Component, text: string): Release {
  return releases.find(({ version }) => version === text)!;
}
