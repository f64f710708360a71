/** Judges one component from its recorded releases. */
import type { Day } from '../../src/core/day.ts';
import { findWords } from '../../src/core/phrases.ts';
import type { Component, Line, Release } from '../../src/core/schema/published.ts';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import { Definition } from '../../src/core/schema/written.ts';
import { judgeAll, type Subject } from '../../src/judge/judge.ts';
import { links } from './index-folder.ts';

/** A support policy that takes end-of-support dates from the recorded lines. */
export const statedPolicy = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'svc' },
};

/** Returns a recorded release. `day` is the release date that upstream gave. Without `day`, the release has no date. */
export function release(
  version: string,
  day?: Day,
  more: Partial<RecordedRelease> = {},
): RecordedRelease {
  const dated = { releaseTimestamp: day, timestampKind: 'published' as const };
  return { version, sources: [], ...(day && dated), ...more };
}

/**
 * Reads releases from a text, such as `1.0 2026-01-01, 1.1 2026-02-01 to 2026-03-01, 1.2 to 2026-03-01, 1.3`:
 * - 1.0 has a date from upstream.
 * - 1.1 appeared between two dates.
 * - 1.2 appeared on 1 March or earlier.
 * - 1.3 has no date.
 */
export function readReleases(text: string) {
  return text.split(', ').map((each) => {
    // The groups are the version, the first date and the last date.
    const [, version = '', from, to] = /^(\S+)(?: (\d\S*))?(?: to (\S+))?$/.exec(each)!;
    return to === undefined
      ? release(version, from)
      : release(version, to, { timestampKind: 'observed', ...(from && { notBefore: from }) });
  });
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
      title: 'Server',
      ...links,
      sources: [],
      ...definition,
    }),
    recorded: { releases: [...releases], ...recorded },
  };
}

/** Returns the releases of a component, with the sentences that describe them. */
export function describeReleases({ lines, releases }: Component) {
  return releases.map((release) => ({ ...release, ...findWords(release, lines) }));
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
