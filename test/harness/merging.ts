import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { checkReleases } from '../../src/record/gather/stated-release.ts';
import { mergeAnswers, type Merged } from '../../src/record/gather/merge.ts';
import type { CheckedAnswer } from '../../src/record/gather/merge-values.ts';
import { computeRank } from '../../src/record/gather/recorded-releases.ts';
import { findAdapter } from '../../src/record/sources/index.ts';
import type { Adapter, Answered, SourceOutcome } from '../../src/record/gather/ask-source.ts';
import { sha256 } from '../../src/io/files/file-system.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';

/** An answer that lists these releases, as plain versions or with what is stated of them. */
export function answer(
  id: string,
  releases: readonly (string | StatedRelease)[],
  more: Partial<CheckedAnswer> & { day?: string } = {},
): CheckedAnswer {
  const listed = releases.map((release) =>
    typeof release === 'string' ? { version: release } : release,
  );
  const { onlyAdds, statesDeprecation } = findAdapterOf(id);
  return {
    id,
    releases: checkReleases(listed, more.day ?? '2099-01-01', () => undefined),
    ranks: new Set(
      listed.map((release) => computeRank(release)).filter((rank) => rank !== undefined),
    ),
    isPartial: onlyAdds === true,
    statesDeprecation: statesDeprecation === true,
    ...more,
  };
}

export interface Merging {
  day?: string;
  sources?: string[];
  missing?: Record<string, string>;
  isRetired?: boolean;
}

/** Unites answers with what is recorded. `sources` are those of the answers, unless more are named. */
export function merge(
  recorded: readonly RecordedRelease[],
  answers: readonly CheckedAnswer[],
  {
    day = '2026-06-01',
    sources = answers.map(({ id }) => id),
    missing = {},
    ...more
  }: Merging = {},
): Merged {
  return mergeAnswers({ component: 'svc', recorded, missing, sources, answers, day, ...more });
}

/** The changes of a run as a person reads them. */
export function changesOf({ changes }: Merged): string[] {
  return changes.map(
    ({ kind, version, detail }) => `${version} ${kind}${detail === '' ? '' : `: ${detail}`}`,
  );
}

export function entryOf({ releases }: Pick<Merged, 'releases'>, version: string): RecordedRelease {
  const found = releases.find((entry) => entry.version === version);
  if (!found) {
    throw new Error(`${version} is not recorded`);
  }
  return found;
}

/** The same answer before anything of it is believed. */
export function outcomeOf(said: CheckedAnswer): Answered & SourceOutcome {
  return {
    ...said,
    kind: 'answered',
    fingerprint: sha256(said.id),
    releases: [...said.releases],
    pending: [],
    findings: [],
    keep: () => undefined,
  };
}

/** The adapter of a source by the beginning of its id; a support source has none. */
export function findAdapterOf(id: string): Pick<Adapter, 'onlyAdds' | 'statesDeprecation'> {
  const [datasource] = id.split(':');
  const adapter: Adapter | undefined = findAdapter({
    datasource,
  } as Parameters<typeof findAdapter>[0]);
  return adapter ?? {};
}
