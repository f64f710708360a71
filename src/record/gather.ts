import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Day } from '../core/day.ts';
import type { Problem } from '../core/errors.ts';
import { pick } from '../core/objects.ts';
import { formatSource, nameSources } from '../core/schema/names.ts';
import type { Freshness, Recorded } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { toLine } from '../core/text.ts';
import type { Http } from '../sources/http/client.ts';
import { SourceError } from '../sources/http/failures.ts';
import { ask, type AskedSource, orAbort } from '../sources/index.ts';
import { readCatalogue } from '../sources/registries/exploited.ts';
import { forgetWrong } from '../sources/requests.ts';
import { toReadable } from './data-files.ts';
import { merge, mergeExploited, type Advisories } from './merge.ts';

interface GatherInput {
  component: string;
  definition: Definition;
  recorded: Recorded;
  freshness: Freshness[string];
}

export type Gathered = Awaited<ReturnType<typeof gatherComponent>>;

/** A source that did not answer, because its request failed, or because the run postponed it. */
export interface Trouble {
  component: string;
  /** The id of the source. */
  source: string;
  host: string | undefined;
  /** Why it did not answer, without a full stop. */
  reason: string;
  /** The reason without the request. So it is the same for all sources that fail because of one host. */
  problem: string;
  at: string;
}

export interface GatherRun {
  day: Day;
  http: Http;
  /** The folder of the index. */
  root: string;
  signal: AbortSignal;
  /** The URLs of catalogues of exploited vulnerabilities. */
  exploited?: readonly string[] | undefined;
  onProgress?(text: string, position: number): void;
}

const componentsAtOnce = 64;
/** The greatest duration of a run. A longer run ends without the remaining sources. */
const runMs = 20 * 60_000;
const sourceMs = 5 * 60_000;
/** The greatest time for looking up the releases of a source one by one. The next run looks up the remaining releases. */
const lookUpMs = 4 * 60_000;

/** Asks all sources of these components. If a source fails, other sources and components are not affected. */
export async function gatherAll(inputs: readonly GatherInput[], run: GatherRun) {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(runMs)]);
  const { catalogues, notes } = await readCatalogues(run);
  let finished = 0;

  // A host's rate limit may not be enough for all components. So the components that were postponed longest go first.
  const order = inputs.toSorted((a, b) => findTurn(a).localeCompare(findTurn(b)));
  for (const { leftSince, host } of inputs.flatMap((input) => Object.values(input.freshness))) {
    if (leftSince !== undefined && host !== undefined) {
      run.http.spare(host);
    }
  }

  const bugs: Problem[] = [];
  const answers = new Map<string, Gathered>();
  await pLimit(componentsAtOnce).map(order, async (input) => {
    const { component } = input;
    try {
      answers.set(component, await gatherComponent(input, { ...run, signal }, catalogues));
    } catch (error) {
      bugs.push(describeBug(component, error));
    }
    run.signal.throwIfAborted();
    finished += 1;
    run.onProgress?.(`gather ${finished}/${inputs.length} ${component}`, finished);
  });
  const gathered = inputs.flatMap(({ component }) => answers.get(component) ?? []);
  return { gathered, notes, bugs };
}

/**
 * Returns a sort key for components. The order is:
 * - components with a new source
 * - components with a postponed source, the longest postponed first
 * - all other components
 */
function findTurn({ definition, freshness }: GatherInput): string {
  const turns = listAskedSources(definition)
    .filter(isRemote)
    .map(({ id }) => (freshness[id] ? (freshness[id].leftSince ?? 'last run') : ''));
  return turns.sort()[0] ?? 'last run';
}

/** Asks each catalogue once, because catalogues are about all components. */
async function readCatalogues(run: GatherRun) {
  const catalogues: Advisories[] = [];
  const notes: Problem[] = [];
  for (const source of run.exploited ?? []) {
    try {
      const advisories = await forgetWrong(run.http, (http) =>
        readCatalogue(source, { ...run, http }),
      );
      catalogues.push({ source, advisories });
    } catch (error) {
      if (!(error instanceof SourceError)) {
        throw error;
      }
      const message = `${error.message}. Recorded data stays.`;
      notes.push({ subject: 'exploited', message, level: 'notice' });
    }
  }
  return { catalogues, notes };
}

/** Describes an error of this program. It stops only one component. */
export function describeBug(subject: string, error: unknown): Problem {
  const stack = String((error as Partial<Error>).stack ?? error);
  const message = `a bug in this program stopped its update. Its recorded data stays. ${stack}`;
  return { subject, message };
}

export async function gatherComponent(
  input: GatherInput,
  run: GatherRun,
  catalogues: readonly Advisories[] = [],
) {
  const { component, definition, recorded } = input;
  const asked = listAskedSources(definition);
  const outcomes = await Promise.all(asked.map((each) => askSource(each, input, run)));

  const postponed = outcomes.flatMap((outcome) => outcome.postponed ?? []);
  const answers = outcomes.flatMap(({ answer }) => answer ?? []);
  const ids = asked.map(({ id }) => id);
  const digestSource = asked.find(({ source }) => 'digestOf' in source && source.digestOf)?.id;
  const merged = mergeExploited(
    merge({ recorded, answers, sources: ids, digestSource, day: run.day }),
    definition,
    catalogues,
  );
  // Unchanged data is returned as the same object. So it is not checked, written or kept in memory twice.
  const isSame = JSON.stringify(merged) === JSON.stringify(recorded);
  const remote = outcomes.filter(isRemote);
  return {
    component,
    recorded: isSame ? recorded : toReadable(merged),
    freshness: Object.fromEntries(remote.map(({ id, freshness }) => [id, freshness])),
    /** The ids of sources that answered for the first time since they were added, or since their definition changed. */
    firstAnswers: new Set(answers.flatMap(({ source, answeredOn }) => (answeredOn ? [] : source))),
    /** Whether a source in `firstAnswers` gives the end dates of release lines. */
    hasFirstEnds: answers.some(({ lines, answeredOn }) => lines && !answeredOn),
    /** The day of the last answer of the source that gives these end dates. */
    endsAnsweredOn: answers.find(({ lines }) => lines)?.answeredOn,
    /** Notices about entries and fields that were left out of the sources' answers. */
    notes: answers.flatMap(({ source, notes }) =>
      notes.map((message): Problem => {
        return { subject: formatSource(component, source), message, level: 'notice' };
      }),
    ),
    asked: remote.length - postponed.length,
    postponed,
    failed: outcomes.flatMap(({ failed }) => failed ?? []),
    bugs: outcomes.flatMap(({ bug }) => bug ?? []),
  };
}

function listAskedSources({ sources, support }: Definition): AskedSource[] {
  const releases = sources.map((source) => ({ kind: 'releases' as const, source }));
  const lines =
    support?.policy === 'stated' ? [{ kind: 'lines' as const, source: support.source }] : [];
  const asked = [...releases, ...lines];
  const ids = [...nameSources(asked.map(({ source }) => source)).keys()];
  // `nameSources` gives each source an id.
  return asked.map((each, position) => ({ ...each, id: ids[position]! }));
}

/** Tells whether a source is remote. A list in the definition itself is always fresh. */
function isRemote({ source }: { source: AskedSource['source'] }): boolean {
  return source.datasource !== 'static';
}

/**
 * Asks a source. Any error is a failure of this source, even a bug of this program. The source is postponed if the run's time or the host's
 * rate limit is used up.
 */
async function askSource(asked: AskedSource, input: GatherInput, run: GatherRun) {
  const { day, signal } = run;
  const { source, id } = asked;
  const { leftSince = day, ...former } = input.freshness[id] ?? {};
  const { prereleases } = input.definition;
  const selection = asked.kind === 'lines' ? source : { ...source, prereleases };
  const digest = hash('sha256', JSON.stringify(selection)).slice(0, 12);

  try {
    // A component whose turn comes too late is postponed.
    const limit = AbortSignal.any([signal, AbortSignal.timeout(sourceMs)]);
    const enough = AbortSignal.timeout(lookUpMs);
    const isChanged = former.definition !== undefined && former.definition !== digest;
    const question = { ...input, ...asked, isChanged };
    const answer = await orAbort(limit, () => ask(question, { ...run, enough }));
    // Versions that are new today came out on `answeredOn` or later. After a change of the definition, this is not certain, because the
    // changed definition may allow versions that the source already listed. So `answeredOn` is then undefined.
    const answeredOn = former.definition === digest ? former.answeredOn : undefined;
    const { movedTo } = answer;
    const whole = { answeredOn: day, definition: digest, movedTo };
    // An incomplete answer lacks some releases. These releases may be older than the answer, although a later run records them as new. So
    // the date of the last complete answer is kept.
    const freshness = answer.isCut
      ? { ...pick(former, ['answeredOn', 'definition']), movedTo }
      : whole;
    return { source, id, freshness, answer: { ...answer, source: id, answeredOn } };
  } catch (error) {
    const { name, message } = error as Error;
    const { host, problem = message, isLimit = false } = error instanceof SourceError ? error : {};
    const base = { component: input.component, source: id, host, at: new Date().toISOString() };
    if (isLimit || error === signal.reason) {
      const reason = isLimit ? toReason(problem) : lateReason;
      const postponed: Trouble = { ...base, reason, problem: reason };
      return { source, id, freshness: { reason, host, ...former, leftSince }, postponed };
    }

    const { failingSince = day } = former;
    const reason = toReason(message) || name;
    const failed: Trouble = { ...base, reason, problem: toReason(problem) };
    return {
      source,
      id,
      freshness: { ...former, failingSince, reason, host },
      failed,
      bug: expectedErrors.includes(name) ? undefined : describeBug(input.component, error),
    };
  }
}

const lateReason = `a run ends after ${runMs / 60_000} minutes`;

/** Returns a message without its full stop, because it becomes part of a sentence. */
function toReason(message: string): string {
  return toLine(message, 500).replace(/\.$/, '');
}

/** The names of errors that are not bugs. An `InputError` comes from npm's configuration. */
const expectedErrors = ['SourceError', 'InputError', 'TimeoutError', 'AbortError'];
