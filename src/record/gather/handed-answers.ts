import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { Advisory } from '../../core/schemas/recorded/advisory.ts';
import type { Finding, Report } from '../../core/schemas/finding.ts';
import { RecordedRelease, StatedLine } from '../../core/schemas/recorded/recorded.ts';
import { DaySchema, Line, lineOf, SourceId, VersionText } from '../../core/schemas/scalars.ts';
import { isStaticId } from '../../core/schemas/definition/source.ts';
import { defined, pick, toLine } from '../../core/text/text.ts';
import { maxVersionLength } from '../../core/model/version.ts';
import { formatDocument } from '../../io/files/save.ts';
import { SourceError } from '../sources/datasource.ts';
import {
  askSource,
  defaultBudgets,
  digestSource,
  type Answered,
  type SourceOutcome,
} from './ask-source.ts';
import {
  askedSources,
  type Answers,
  type AskedSource,
  type GatherInput,
} from './gather-component.ts';
import { stateReleases } from './stated-release.ts';

/** A release as its source states it: no day on which it was seen. */
const HandedRelease = z.strictObject({
  ...RecordedRelease.pick({
    version: true,
    releaseTimestamp: true,
    changelogUrl: true,
    deprecated: true,
    isPrerelease: true,
  }).shape,
  digests: RecordedRelease.shape.digests.unwrap().valueType.optional(),
});

const HandedAnswer = z.strictObject({
  kind: z.literal('answered'),
  id: SourceId,
  definition: lineOf(64),
  releases: z.array(HandedRelease),
  listed: z.array(lineOf(2 * maxVersionLength)),
  unordered: z.array(Line),
  advised: z.record(lineOf(200), Advisory.nullable()).optional(),
  advisesAll: z.boolean(),
  ofLines: z
    .strictObject({
      lines: z.array(StatedLine),
      about: Line.optional(),
    })
    .optional(),
  pending: z.array(VersionText),
});
type HandedAnswer = z.infer<typeof HandedAnswer>;

const HandedFailure = z.strictObject({
  kind: z.literal('failed'),
  id: SourceId,
  reason: Line,
  cause: lineOf(300).optional(),
});

/** The answers of the sources of a component, which one job gathered and another one records. */
export const HandedAnswers = z.strictObject({
  askedOn: DaySchema,
  sources: z.array(z.discriminatedUnion('kind', [HandedAnswer, HandedFailure])),
});
export type HandedAnswers = z.infer<typeof HandedAnswers>;

export function answersDocument({ outcomes }: Answers, askedOn: Day): string {
  const sources = outcomes
    .map((outcome) => handedOutcome(outcome))
    .filter((value) => value !== undefined);
  return formatDocument(HandedAnswers.parse({ askedOn, sources }));
}

function handedOutcome(outcome: SourceOutcome): object | undefined {
  if (outcome.kind === 'aborted') {
    return undefined;
  }

  if (outcome.kind === 'failed') {
    return { ...pick(outcome, ['kind', 'id', 'cause']), reason: toLine(outcome.reason) };
  }

  const { releases, listed, unordered = [], advised, advisesAll = false, ofLines } = outcome;
  const statements = Array.from(advised ?? [], ([id, advisory]) => [id, advisory ?? null]);

  return {
    ...pick(outcome, ['kind', 'id', 'definition', 'pending']),
    releases: releases.map((release) => pick(release, handedKeys)),
    listed: [...listed],
    unordered: unordered.map((text) => toLine(text)),
    advised: advised && Object.fromEntries(statements),
    advisesAll,
    ofLines: ofLines && pick(ofLines, ['lines', 'about']),
  };
}

const handedKeys = HandedRelease.keyof().options;

/**
 * The answers that another job hands over, read by this index's own definition. Statements of the definition itself are not taken
 * from that job.
 */
export async function readHandedAnswers(
  handed: HandedAnswers,
  input: GatherInput,
  { day }: { day: Day },
): Promise<Answers> {
  const findings: Finding[] = [];

  const reportOf =
    (id: string): Report =>
    (message, kind = message) =>
      void findings.push({
        level: 'warning',
        subject: input.component,
        message: `${id}: ${message}`,
        kind: `${id} ${kind}`,
      });

  const outcomes = askedSources(input).map(async (asked): Promise<SourceOutcome | undefined> => {
    const { id, source, adapter, ...about } = asked;
    const report = reportOf(id);

    if (isStaticId(id)) {
      return askSource(source, adapter, { ...withoutNetwork, ...about, id, day, report });
    }

    const outcome = handed.sources.find((one) => one.id === id);
    if (outcome?.kind !== 'answered') {
      return outcome;
    }

    if (outcome.definition !== digestSource(source, asked.acceptsPrereleases)) {
      report('was asked by another definition. The next run asks again.');
      return undefined;
    }

    const releases = stateReleases(outcome.releases.map(defined), day, report);

    return { ...answeredBy(outcome, asked), releases };
  });

  const read = await Promise.all(outcomes);

  return { outcomes: read.filter((outcome) => outcome !== undefined), findings };
}

function answeredBy(
  { id, definition, listed, unordered, advised, advisesAll, ofLines, pending }: HandedAnswer,
  { source, adapter, listsLines }: AskedSource,
): Omit<Answered, 'releases'> {
  const advisories = Object.entries(advised ?? {}).map(
    ([name, advisory]) => [name, advisory ?? undefined] as const,
  );
  const expected = 'product' in source ? source.product : undefined;

  return {
    kind: 'answered',
    id,
    definition,
    listed: new Set(listed),
    unordered,
    advised: source.datasource === 'osv' ? new Map(advisories) : undefined,
    advisesAll,
    ofLines: listsLines
      ? defined({ lines: ofLines?.lines ?? [], about: ofLines?.about, expected })
      : undefined,
    onlyAdds: adapter.onlyAdds === true,
    statesDeprecation: adapter.statesDeprecation === true,
    pending,
    keep() {},
  };
}

/** For sources whose answer is in the definition. */
const withoutNetwork = {
  http: {
    openSession: () => ({
      fetch: () => Promise.reject(new SourceError('no source is asked in this job')),
      keep() {},
    }),
  },
  npmRegistry: () => undefined,
  packages: [],
  budgets: defaultBudgets,
  runEnd: Number.POSITIVE_INFINITY,
};
