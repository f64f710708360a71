import manifest from '../../package.json' with { type: 'json' };
import { readSettings, requireDefinitions } from '../core/read-folder.ts';
import { UsageError, type Problem } from '../core/errors.ts';
import { findNearest } from '../core/text.ts';
import { planDay, type PlannedDay } from '../record/day.ts';
import { openData, type DataFiles } from '../record/files.ts';
import { createHttp } from '../sources/http/client.ts';
import type { Context } from './context.ts';

/** Asks the sources for a day, and writes nothing. `names`: only these components. */
export async function askSources(
  context: Context,
  verb: string,
  names: readonly string[] = [],
): Promise<{ data: DataFiles; planned: PlannedDay }> {
  const { root, day, env, signal, report } = context;
  const settings = readSettings(root);
  const { repositoryUrl, plainHttpHosts = [], staleAfterDays } = settings;
  const data = openData(root);
  const definitions = requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    throw new UsageError(
      `there is no component ${unknown}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
    );
  }

  const http = createHttp({ repositoryUrl, env, signal, plainHttpHosts });
  try {
    const npm = /npm\/(\S+)/.exec(env['npm_config_user_agent'] ?? '')?.[1];
    const facts = { requested: [verb, ...names], program: manifest.version, ...(npm && { npm }) };
    const asks = (name: string) => names.length === 0 || names.includes(name);
    const onProgress = (text: string) => report.progress(text);
    return {
      data,
      planned: await planDay({
        data,
        definitions,
        http,
        asks,
        day,
        signal,
        staleAfterDays,
        facts,
        onProgress,
      }),
    };
  } finally {
    await http.close();
  }
}

/** Its alerts, the notes of its sources, and its bugs. */
export function listProblems({ alerts, notes, bugs }: PlannedDay): Problem[] {
  return [
    ...alerts.map(({ subject, message, isDue }): Problem => ({
      subject,
      message,
      ...(isDue ? {} : { level: 'warning' }),
    })),
    ...notes.map((note): Problem => ({ subject: 'source', message: note, level: 'notice' })),
    ...bugs.map((bug): Problem => ({
      subject: 'bug',
      message: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug),
    })),
  ];
}

/** What readers would be told. */
export function listAnnouncements({ events }: PlannedDay): string[] {
  return [...events].flatMap(([component, own]) => {
    const [first] = own;
    return first?.initial
      ? [`${component}: ${own.length} events, its first`]
      : own.map(
          ({ type, version, line, advisory, to }) =>
            `${component} ${version ?? line ?? advisory ?? to}: ${type}`,
        );
  });
}
