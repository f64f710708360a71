import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import { nameOsvPackage } from '../core/datasources.ts';
import { addDays, type Day } from '../core/day.ts';
import type { Definition, Source } from '../core/schema/definition.ts';
import type { SupportSource } from '../core/schema/policy.ts';
import type { Trouble } from '../core/schema/events.ts';
import type { Freshness, Recorded, SourceFreshness } from '../core/schema/recorded.ts';
import { nameSources } from '../core/schema/source-id.ts';
import { toLine } from '../core/text.ts';
import { parseVersion, rankKey } from '../core/version.ts';
import type { Http } from '../sources/http/client.ts';
import { SourceError } from '../sources/http/failures.ts';
import { listLines, listReleases, lookUpFacts } from '../sources/index.ts';
import type { SourceContext, SourceRelease } from '../sources/types.ts';
import { selectAnswer, type Answer, type SelectedRelease, type Selection } from './answer.ts';
import { merge } from './merge.ts';

export interface GatherInput {
  component: string;
  definition: Definition;
  recorded: Recorded;
  freshness: Freshness[string];
}

export interface Gathered {
  component: string;
  recorded: Recorded;
  freshness: Freshness[string];
  /** What was left out, and why sources failed, in sentences. */
  notes: string[];
  asked: number;
  troubles: Trouble[];
  /** Errors that are bugs of this program. */
  bugs: unknown[];
}

export interface GatherRun {
  day: Day;
  http: Http;
  signal: AbortSignal;
  onProgress?(text: string): void;
}

const atATime = 64;
const sourceMs = 5 * 60_000;
const runMs = 20 * 60_000;
const shownNotes = 5;

/** Asks all sources of these components. A source that fails costs no other source or component anything. */
export async function gatherAll(
  inputs: readonly GatherInput[],
  run: GatherRun,
): Promise<Gathered[]> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(runMs)]);
  let finished = 0;

  return pLimit(atATime).map(inputs, async (input) => {
    const gathered = await gatherComponent(input, { ...run, signal });
    run.signal.throwIfAborted();
    finished += 1;
    run.onProgress?.(`gather ${finished}/${inputs.length} ${input.component}`);
    return gathered;
  });
}

/** A source of releases or advisories, or of the ends of lines. */
type Asked = Source | SupportSource;

export async function gatherComponent(input: GatherInput, run: GatherRun): Promise<Gathered> {
  const { component, definition, recorded } = input;
  const { support } = definition;
  const asked: Asked[] = [
    ...definition.sources,
    ...(support?.policy === 'stated' ? [support.source] : []),
  ];
  const ids = nameSources(asked);
  const outcomes = await Promise.all(
    asked.map((source, position) => askSource(source, ids[position]!, input, run)),
  );

  const answers = outcomes.flatMap(({ answer }) => answer ?? []);
  return {
    component,
    recorded: merge({ recorded, answers, sources: ids, day: run.day }),
    freshness: Object.fromEntries(outcomes.map(({ id, freshness }) => [id, freshness])),
    notes: outcomes.flatMap(({ id, notes }) =>
      shorten(notes).map((note) => `${component} (${id}): ${note}`),
    ),
    asked: outcomes.length,
    troubles: outcomes.flatMap(({ id: source, failedAt: at, freshness: { reason = '' } }) =>
      at === undefined ? [] : [{ component, source, kind: 'failed', reason, at }],
    ),
    bugs: outcomes.flatMap(({ bug }) => bug ?? []),
  };
}

function shorten(notes: readonly string[]): string[] {
  const more = notes.length - shownNotes;
  return more > 0 ? [...notes.slice(0, shownNotes), `and ${more} more notes`] : [...notes];
}

interface Outcome {
  id: string;
  answer?: Answer;
  freshness: SourceFreshness;
  notes: string[];
  failedAt?: string;
  bug?: unknown;
}

/** Any error of a source is its failure, even a bug. */
async function askSource(
  source: Asked,
  id: string,
  input: GatherInput,
  run: GatherRun,
): Promise<Outcome> {
  const { day, signal } = run;
  const former = input.freshness[id] ?? {};
  const selection = { ...source, prereleases: input.definition.prereleases };
  const definition = hash('sha256', JSON.stringify(selection)).slice(0, 12);

  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(sourceMs)]);
    const { answer, notes } = await orAbort(limit, ask(source, id, input, selection, run));
    // An edited definition may admit versions that were listed for long.
    answer.answeredOn = former.definition === definition ? former.answeredOn : undefined;
    return { id, answer, freshness: { answeredOn: day, definition }, notes };
  } catch (error) {
    const reason = toLine(error instanceof Error ? error.message : String(error), 500);
    const host = error instanceof SourceError ? error.host : undefined;
    const failure = { failingSince: former.failingSince ?? day, reason };
    const freshness = { ...former, ...failure, ...(host !== undefined && { host }) };
    const notes = [`${reason}. Recorded data stays.`];
    return {
      id,
      freshness,
      notes,
      failedAt: new Date().toISOString(),
      ...(isExpected(error) ? {} : { bug: error }),
    };
  }
}

async function ask(
  source: Asked,
  id: string,
  { definition, recorded }: GatherInput,
  selection: Selection,
  { day, http }: GatherRun,
) {
  const packages = definition.sources.flatMap((each) => nameOsvPackage(each) ?? []);
  const context: SourceContext = { http, day, packages };
  if (
    'product' in source ||
    (definition.support?.policy === 'stated' && definition.support.source === source)
  ) {
    return selectAnswer(id, source.datasource, await listLines(source, context), {});
  }

  const isOnlyAdding = (source as Source).onlyAdds;
  const listed = await listReleases(source, context);
  const { answer, notes } = selectAnswer(
    id,
    source.datasource,
    isOnlyAdding ? { ...listed, isPartial: true } : listed,
    selection,
  );
  const isWanted = createWish(recorded, day);
  const [wanted, others] = split(answer.releases, isWanted);
  // Upstream knows a release by its own name.
  const byName = new Map(wanted.map((release) => [release.name, release]));
  const asked = wanted.map(({ name, deprecated, ...release }): SourceRelease => ({
    ...release,
    version: name,
    deprecated: deprecated ?? undefined,
  }));
  const found = await lookUpFacts(source, asked, context);
  const completed = found.releases.map((release): SelectedRelease => {
    const { name, version, deprecated } = byName.get(release.version)!;
    return { ...release, name, version, deprecated };
  });
  return {
    answer: { ...answer, releases: [...others, ...completed] },
    notes: [...notes, ...found.notes],
  };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof SourceError ||
    (error as Error).name === 'TimeoutError' ||
    (error as Error).name === 'AbortError'
  );
}

/** A day that could not be read is asked for again for a week. */
const daysToAskAgain = 7;

/** Whether the day of a release has to be asked for: no day of it is recorded. */
function createWish({ releases }: Recorded, day: Day): (release: SelectedRelease) => boolean {
  const from = addDays(day, -daysToAskAgain);
  const settled = releases.filter(
    ({ timestampKind, firstSeen = '' }) => timestampKind === 'published' || firstSeen < from,
  );
  const ranks = new Set(settled.map(({ version }) => rankKey(parseVersion(version)!)));
  return ({ version }) => !ranks.has(rankKey(parseVersion(version)!));
}
