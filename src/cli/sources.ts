/** Asks the sources of an index. */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { UsageError } from '../core/errors.ts';
import { readSettings, requireDefinitions } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import { findNearest, formatCount } from '../core/text.ts';
import { composeDay, saveGathered } from '../record/day.ts';
import { openData } from '../record/files.ts';
import { createHttp } from '../sources/http/client.ts';
import { bugStatus, describeAnswers, formatFinding, listGathered } from './answers.ts';
import type { Context } from './context.ts';

export interface Asked {
  /** Only these components. */
  names?: readonly string[] | undefined;
  /** What the day begins with. */
  commit?: string;
  /** In place of those in the files. */
  definitions?: Map<string, Definition>;
  /** What it would tell readers is of no interest. */
  isUntold?: boolean;
}

/** Asks the sources for a day, and writes nothing. */
export async function askSources(
  context: Context,
  { names = [], commit, definitions: usable, isUntold }: Asked = {},
) {
  const { root, env, report, signal, day } = context;
  const settings = readSettings(root);
  const data = openData(root);
  const definitions = usable ?? requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    const hint = nearest ? `. Did you mean ${nearest}?` : '';
    throw new UsageError(`there is no component ${unknown}${hint}`);
  }

  const { repositoryUrl, plainHttpHosts, exploited, staleAfterDays } = settings;
  const http = createHttp({
    env,
    signal,
    repositoryUrl,
    plainHttpHosts,
    keptIn: join(root, '.cache/http'),
    program: manifest.version,
  });
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
      isUntold,
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

/** Records what sources state: all that `gather` does. */
export async function gather(context: Context, names?: readonly string[]): Promise<void> {
  const { report, day } = context;
  const { data, composed } = await askSources(context, { names, isUntold: true });
  saveGathered(data, composed);
  const { run, held, bugs, findings } = composed;
  report.problem(...listGathered(composed));
  report.print(...describeAnswers(composed));
  if (findings.length > 0) {
    report.print(
      `${formatCount(findings.length, 'note')} on what was listed: npx release-index gather --json`,
    );
  }
  const { asked, troubles = [] } = run;
  report.document({ asOf: day, asked, troubles, held, notes: findings.map(formatFinding) });
  context.status = bugs.length > 0 ? bugStatus : 0;
}
