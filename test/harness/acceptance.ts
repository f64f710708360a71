import { uniteAnswers, type GatherResult } from '../../src/record/gather/unite-answers.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import type { Wait } from '../../src/core/schemas/recorded/waits.ts';
import type { Freshness } from '../../src/core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import type { StatedRelease } from '../../src/record/sources/datasource.ts';
import { answer, outcomeOf } from './merging.ts';
import { release } from './judging.ts';
import { definition } from './root.ts';

export const ten = Array.from({ length: 10 }, (_, index) => `1.${index}`);
export const day = '2026-06-01';

const url = 'https://example.com/releases';
export const byDatasource = {
  npm: { id: 'npm:x', source: { datasource: 'npm', packageName: 'x' } },
  page: {
    id: `page:${url}`,
    source: { datasource: 'page', url, matchStrings: ['(?<version>\\d.*)'] },
  },
};

interface AcceptanceInput {
  datasource?: keyof typeof byDatasource;
  /** The versions that the source listed before, or all that is recorded. */
  recorded?: readonly (string | RecordedRelease)[];
  freshness?: Freshness;
  day?: string;
  /** More of the source in the definition. */
  ofSource?: { onlyAdds?: boolean; allowedVersions?: string };
  /** What the other source of the component lists. */
  others?: readonly string[];
  /** The ids of decisions. */
  accepted?: ReadonlySet<string>;
  /** What waited after the last run. */
  waits?: readonly Wait[];
}

const onlySome = { listsSome: true, isPartial: true };

/** What a run makes of an answer of one source; the other source of the component lists 0.9 unless told. */
export function gather(listed: readonly (string | StatedRelease)[], about: AcceptanceInput = {}) {
  const { datasource = 'npm', recorded = ten, freshness = { sources: {} } } = about;
  const { others = ['0.9'], ofSource = {}, accepted = new Set() } = about;
  const { id, source } = byDatasource[datasource];
  const outcomes = [
    { ...outcomeOf(answer(id, listed)), ...(ofSource.onlyAdds && onlySome) },
    outcomeOf(answer('maven:g:a', others)),
  ];
  const input = {
    component: 'svc',
    definition: FullDefinition.parse(
      definition({
        sources: [
          { ...source, ...ofSource },
          { datasource: 'maven', packageName: 'g:a' },
        ],
      }),
    ),
    releases: recorded.map((one) =>
      typeof one === 'string' ? release(one, '2025-01-01', { source: id }) : one,
    ),
    freshness,
    accepted,
    ...(about.waits && { waits: about.waits }),
  };
  const result = uniteAnswers(input, outcomes, about.day ?? day);
  const messages = result.findings.map(({ subject, message }) => `${subject}: ${message}`);
  return { ...result, messages };
}

/** The same upstream on a later day, or once more. */
export function again(
  before: GatherResult,
  listed: readonly (string | StatedRelease)[],
  about: Omit<AcceptanceInput, 'recorded' | 'freshness'> = {},
): ReturnType<typeof gather> {
  return gather(listed, { ...about, recorded: before.releases, freshness: before.freshness });
}

export function withdrawn({ releases }: Pick<GatherResult, 'releases'>): string[] {
  return releases
    .filter((entry) => entry.withdrawnSince !== undefined)
    .map(({ version }) => version);
}
