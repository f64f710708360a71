/** Asks the sources of an index, and describes their answers. */
import { join } from 'node:path';
import pLimit from 'p-limit';
import manifest from '../../package.json' with { type: 'json' };
import { UsageError } from '../core/errors.ts';
import { readSettings, requireDefinitions } from '../core/read-definitions.ts';
import type { Problem } from '../core/errors.ts';
import { formatSource, nameSources } from '../core/schema/names.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import type { Definition, Settings } from '../core/schema/written.ts';
import { findNearest, formatCount, formatList, joinSubject } from '../core/text.ts';
import { composeDay, type ComposedDay, saveGathered } from '../record/compose-day.ts';
import { openData } from '../record/data-files.ts';
import { rejectCommittedKept } from '../record/git.ts';
import { findUnread, listGatheringProblems } from '../record/problems.ts';
import { createHttp } from '../sources/http/client.ts';
import { SourceError } from '../sources/http/failures.ts';
import { ask, findOwnList } from '../sources/index.ts';
import type { Context } from './context.ts';

export interface Asked {
  /** If given, only these components are asked about. */
  names?: readonly string[] | undefined;
  /** The commit at the beginning of the day's run. */
  commit?: string;
  /** Definitions that are used instead of the definitions in the files. */
  definitions?: Map<string, Definition>;
  /** Whether events are left out of the result. */
  skipsEvents?: boolean;
}

/** Asks the sources, and composes the data of a day. Writes nothing. */
export async function askSources(
  context: Context,
  { names = [], commit, definitions: usable, skipsEvents }: Asked = {},
) {
  const { root, env, report, signal, day } = context;
  await rejectCommittedKept(root, signal);
  const settings = readSettings(root);
  const data = openData(root);
  const definitions = usable ?? requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    const hint = nearest ? `. Did you mean ${nearest}?` : '';
    throw new UsageError(`There is no component "${unknown}"${hint}`);
  }

  const { exploited, staleAfterDays } = settings;
  const http = openHttp(settings, context);
  try {
    const composed = await composeDay({
      root,
      day,
      signal,
      http,
      data,
      definitions,
      exploited,
      staleAfterDays,
      skipsEvents,
      facts: {
        requested: [report.verb, ...names],
        program: manifest.version,
        npm: /npm\/(\S+)/.exec(env['npm_config_user_agent'] ?? '')?.[1],
        projectName: env['npm_package_name'],
        commit,
      },
      asks: (name) => names.length === 0 || names.includes(name),
      onProgress: report.progress,
    });
    return { data, composed, offsets: http.listOffsets() };
  } finally {
    await http.close();
  }
}

function openHttp(
  { repositoryUrl, plainHttpHosts }: Settings,
  { root, env, signal }: Context,
): ReturnType<typeof createHttp> {
  return createHttp({
    env,
    signal,
    repositoryUrl,
    plainHttpHosts,
    keptIn: join(root, '.cache/http'),
    program: manifest.version,
  });
}

/** Lists the notes on own lists: in definitions, or in files of the index. Sends no requests. A file that cannot be read has no notes. */
export async function listOwnNotes(
  definitions: ReadonlyMap<string, Definition>,
  recorded: ReadonlyMap<string, Recorded>,
  settings: Settings,
  context: Context,
): Promise<Problem[]> {
  const http = openHttp(settings, context);
  const { root, day, signal } = context;
  const run = { http, root, day, enough: signal };
  const own = [...definitions].flatMap(([name, definition]) =>
    Array.from(nameSources(definition.sources), ([id, source]) => ({
      name,
      definition,
      id,
      source,
    })),
  );
  try {
    const notes = await pLimit(8).map(
      own.filter(({ source }) => findOwnList(source) !== undefined),
      async ({ name, definition, id, source }): Promise<Problem[]> => {
        try {
          const data = recorded.get(name) ?? { releases: [] };
          const question = { kind: 'releases', id, source, definition, recorded: data } as const;
          const answer = await ask(question, run);
          return answer.notes.map((message) => {
            return { subject: formatSource(name, id), message, level: 'notice' };
          });
        } catch (error) {
          // The next run reports why the file cannot be read.
          if (error instanceof SourceError) {
            return [];
          }
          throw error;
        }
      },
    );
    return notes.flat();
  } finally {
    await http.close();
  }
}

/** Asks the sources, records their answers, and describes how they answered. Unlike a daily run, records neither events nor a run. */
export async function gather(context: Context, asked: Asked = {}): Promise<void> {
  const { report, day } = context;
  const { data, composed } = await askSources(context, { ...asked, skipsEvents: true });
  saveGathered(data, composed);
  const { run, held, postponed, notes, bugs } = composed;
  report.problem(listGatheringProblems(composed), bugs);
  report.print(describeAnswers(composed));
  if (notes.length > 0) {
    report.print(
      `${formatCount(notes.length, 'note')} on the lists. To read them: npx release-index gather --json`,
    );
  }
  const { troubles = [] } = run;
  const texts = notes.map(({ subject, message }) => joinSubject(subject, message));
  report.document({ asOf: day, asked: run.asked, troubles, postponed, held, notes: texts });
  context.status = bugs.length > 0 ? bugStatus : 0;
}

/* Functions that describe for the operator how the sources answered. */

/** The exit status after a bug that stopped the update of some components: EX_SOFTWARE of sysexits.h. */
export const bugStatus = 70;

/** Counts the answers, and lists the sources that did not answer, by host and reason. */
function describeAnswers(composed: ComposedDay) {
  const { failed, postponed } = composed;
  const asked = countAnswers(composed);
  if (failed.length === 0) {
    return [asked];
  }

  const byReason = Map.groupBy(failed, ({ host, source, problem }) =>
    JSON.stringify([host ?? source, problem]),
  );
  const rows = [...byReason.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const { host, source, problem } = group[0]!;
      const components = [...new Set(group.map(({ component }) => component))];
      return [host ?? source, group.length, problem, formatList(components, 2)];
    });
  const isComplete = findUnread(composed, [...failed, ...postponed]).length === 0;
  const rest = isComplete ? ', so the index is complete' : '';
  return [
    asked,
    { headings: ['host', 'sources', 'reason', 'components'], rows },
    `Their recorded data stays${rest}.`,
  ];
}

/** Returns `Asked 3 of 5 sources: 2 answered, 1 did not answer, 2 postponed.` */
function countAnswers({ run: { asked }, failed, postponed }: ComposedDay): string {
  if (asked + postponed.length === 0) {
    return 'No source had to be asked.';
  }
  if (postponed.length === 0) {
    const outcome = failed.length > 0 ? `${failed.length} did not answer` : 'all answered';
    return `Asked ${formatCount(asked, 'source')}: ${outcome}.`;
  }

  const counts: [count: number, outcome: string][] = [
    [asked - failed.length, 'answered'],
    [failed.length, 'did not answer'],
    [postponed.length, 'postponed'],
  ];
  const outcomes = counts.flatMap(([count, outcome]) => (count > 0 ? `${count} ${outcome}` : []));
  return `Asked ${asked} of ${formatCount(asked + postponed.length, 'source')}: ${outcomes.join(', ')}.`;
}
