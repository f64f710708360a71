import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { toDay } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { findHost } from '../../core/schemas/definition/site-config.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { accessFile, readSiteConfig } from '../../io/files/settings-files.ts';
import type { Root } from '../../io/files/root.ts';
import type { DailyReport } from '../../run/daily/daily-report.ts';
import { runDay } from '../../run/day.ts';
import {
  flag,
  describeRequest,
  publicationOptions,
  shared,
  text,
  type Command,
  type Invocation,
} from '../command.ts';
import { parseOption } from '../option-values.ts';
import { setOutputs } from '../github-workflow.ts';
import { reportPlan } from './plan.ts';

const Stage = z.enum(['build', 'publish']);

const optionTable = {
  push: flag('push the commit before anything is published'),
  'skip-publish': flag('end after the build: something else publishes dist/'),
  stage: text(
    'STAGE',
    '"build": everything before the publication; "publish": only the publication',
  ),
  ...publicationOptions,
  'dry-run': flag('the same as "plan": change nothing'),
  ...shared('root', 'out', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'The verb of the daily workflow. Whatever fails or waits does not affect other components. Commits only data/, and begins only',
    'where components/ and site/ are committed; "plan" needs no commit. With an unusable --to, nothing is gathered.',
    'A component that waits, or has damaged files, stays as last published.',
    'With two stages, run "sign" between them: then no job has both the signing key and the secrets of the host.',
    'Exits with 1 if anything cannot be used, committed or published, and if GitHub Pages did not deploy the last site.',
    'A change that waits, or an upstream without an answer, exits with 1 on its first day, when it grows, and on every seventh day',
    'since; on other days, it is only named. A key that ends soon is a warning.',
    '  The first day of an upstream that is down is after staleAfterDays of site/site.json; that of a short list, the second day.',
    'data/held.json has the id of each change that waits, .cache/daily.json the report for "attention".',
  ],
  examples: [
    ['daily', 'the whole day, by hand'],
    ['daily --push', 'as the workflow does'],
  ],
  needsIndex: false,
  async run(invocation) {
    const { root, report, env, options } = invocation;
    const stage = parseOption('--stage', options.stage, Stage);
    if (options['dry-run']) {
      return reportPlan(invocation);
    }

    const finished = await runDay({
      ...invocation,
      requested: describeRequest('daily', options),
      push: options.push === true,
      skipPublish: options['skip-publish'] === true,
      stage,
    });

    if (!finished) {
      return runAgain(invocation);
    }
    if (env['GITHUB_OUTPUT']) {
      await setOutputs(describeOutcome(root, finished));
    }

    report.document(finished);
    return finished.attention.some(({ isDue }) => isDue) ? 1 : 0;
  },
};

/** The facts about the day that later steps of a workflow use. */
function describeOutcome(root: Root, { isBuilt, publication }: DailyReport) {
  const config = readSiteConfig(root).value;
  return dropUndefined({
    built: isBuilt,
    hosting: config && findHost(config),
    public: isAbsent(join(root.dir, accessFile)),
    // There is a new site, to deploy or to announce.
    published: ['published', 'ready'].includes(publication ?? ''),
  });
}

/** Runs the same command with the changed program, which continues from the commit. Returns its exit status. */
async function runAgain({
  checkout,
  options,
  env,
  report,
  day,
}: Invocation<Options>): Promise<number> {
  report.print('daily: a commit of others changed the program meanwhile; starting again.');

  // The second process continues the day that began, even after midnight.
  const isPast = day !== toDay(new Date());
  const optionsOfDay = isPast ? { ...options, 'as-of': day } : options;
  const args = Object.entries(optionsOfDay).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
  const program = spawn(process.execPath, [join(checkout, 'src/cli.js'), 'daily', ...args], {
    env,
    stdio: 'inherit',
  });

  // A terminal sends SIGINT to both processes. SIGTERM reaches only this one.
  process.once('SIGTERM', () => program.kill('SIGTERM'));
  const [status] = await once(program, 'close');
  return status ?? 1;
}
