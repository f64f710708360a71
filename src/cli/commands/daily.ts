import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  acknowledgedUntil,
  alertsOf,
  isUrgent,
  keepSince,
  publicationAlerts,
  sourceAlerts,
  subjectOf,
  unpublishedAlerts,
  unpublishedCause,
  type Alert,
} from '../../run/daily/alerts.ts';
import { findDamage, type Damage } from '../../run/daily/find-damage.ts';
import { openRepository, recordData } from '../../run/daily/record-data.ts';
import { GitError } from '../../io/files/git.ts';
import {
  commitMessage,
  dailyReportPath,
  newsOf,
  readReport,
} from '../../run/daily/daily-report.ts';
import type { DailyReport } from '../../run/daily/daily-report.ts';
import {
  InputError,
  isError,
  problem,
  warning,
  type Finding,
  inputError,
} from '../../core/schemas/finding.ts';
import { hostOf } from '../../core/schemas/definition/site-config.ts';
import { readPublishedState, type PublishedState } from '../../deliver/publish/live.ts';
import { findLostEvents } from '../../deliver/publish/live-events.ts';
import type { Gathered } from '../../record/gather/gather-all.ts';
import { takeGathered } from '../../record/gather/take-gathered.ts';
import { isLeftOut, listComponents } from '../../io/files/root.ts';
import { readLastGood } from '../../record/gate/last-good.ts';
import { readTrustedRoot } from '../../io/trusted-root.ts';
import { readHostKeys } from '../../deliver/publish/host-keys.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { readAcknowledgements } from '../../io/files/held-file.ts';
import { valueOf } from '../../io/files/read-documents.ts';
import { componentFacts, runBuild } from './build.ts';
import { flag, parseOption, shared, stoppedStatus, text } from '../command.ts';
import type { Command, GivenOptions, Invocation } from '../command.ts';
import { bugsOf, lastCommitDay, mergeOptions, reportGathered, runGather } from './gather.ts';
import {
  checkFolder,
  describePublication,
  folderToPublish,
  runPublish,
  toFolder,
} from './publish.ts';
import { runPlan } from './plan.ts';
import { printRecorded, runRecord } from './record.ts';

const optionTable = {
  push: flag('push the commit before anything is published'),
  'skip-publish': flag('end after the build: something else publishes dist/'),
  gathered: text('DIR', 'use the answers that another job gathered: gather --answers DIR'),
  stage: text('STAGE', '"build": all but the publication; later "publish": only that'),
  to: toFolder,
  'dry-run': flag('the same as "plan": change nothing'),
  ...shared('root', 'out', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'The verb of the daily workflow. A component that fails does not affect the others. Commits nothing but data/.',
    '--gathered takes only what sources state: days of observation and builds are derived here.',
    'A component with damaged files stays as last published.',
    'With two stages, the signing key is needed neither here nor next to the secrets of the host: run "sign" in between.',
    'Exits with 1 only if a person has to act: a component waits, is damaged, or without an answer for longer than staleAfterDays',
    'of site/site.json, or the site was not published. A key that ends soon is a warning.',
    'The report for "attention" is .cache/daily.json.',
  ],
  examples: [
    ['daily', 'the whole day, by hand'],
    ['daily --push', 'as the workflow does'],
  ],
  run,
};

/**
 * Gathers, records, commits, builds and publishes. A component that fails does not affect the others. Publishes only committed
 * data. Returns 1 if a person has to act.
 */
async function run(invocation: Invocation<Options>): Promise<number> {
  const { root, day, report, env } = invocation;

  if (invocation.options['dry-run'] === true) {
    return runPlan(invocation);
  }

  const config = readSiteConfig(root).value;
  if (config) {
    checkFolder(invocation, config);
  }

  const run = env['GITHUB_RUN_ID'];
  const stage = parseOption('--stage', invocation.options.stage, Stage);
  const last = readReport(root);
  const empty = { finishedAt: '', news: [], components: [], isBuilt: false, attention: [] };
  const found: DailyReport =
    stage === 'publish' ? waitingForPublication(last) : { verb: 'daily', asOf: day, run, ...empty };
  const before = last?.attention ?? [];

  // An interrupted run must not leave the report of an earlier run.
  rmSync(dailyReportPath(root), { force: true });

  const stopped = await runDay(invocation, found, stage);
  if (stopped === 'program changed') {
    return runAgain(invocation);
  }

  if (stopped !== 0) {
    return stopped;
  }

  if (['published', 'unchanged', 'ready'].includes(found.publication?.outcome ?? '')) {
    found.attention = found.attention.filter(({ cause }) => cause !== unpublishedCause);
  }

  found.attention = keepSince(found.attention, before);
  found.finishedAt = new Date().toISOString();

  const acknowledgements = readAcknowledgements(root).value?.values ?? [];
  const isOpen = (one: Alert) =>
    isUrgent(one) && acknowledgedUntil(one, acknowledgements, day) === undefined;

  for (const one of found.attention) {
    report.finding((isOpen(one) ? problem : warning)(subjectOf(one), one.message));
  }

  saveIfChanged(dailyReportPath(root), formatDocument(found));

  if (env['GITHUB_STEP_SUMMARY']) {
    // Later steps of the job have conditions on these.
    const { setOutput } = await import('@actions/core');

    setOutput('built', found.isBuilt);

    if (config) {
      setOutput('hosting', hostOf(config));
    }

    setOutput('public', isAbsent(join(root.dir, accessFile)));

    const { outcome = '' } = found.publication ?? {};

    setOutput('published', ['published', 'ready'].includes(outcome));
  }

  report.document(found);

  return found.attention.some(isOpen) ? 1 : 0;
}

/** The report of an earlier stage, which has built a site. */
function waitingForPublication(last: DailyReport | undefined): DailyReport {
  if (last?.isBuilt !== true || last.publication) {
    throw inputError('--stage publish', 'no site waits to be published. Run: daily --stage build');
  }

  return last;
}

const Stage = z.enum(['build', 'publish']);

/** Set for the second and last attempt. */
const againVariable = 'RELEASE_INDEX_DAILY_AGAIN';

/** Starts a new process with the changed program; it continues from the commit. */
function runAgain({ checkout, options, root, out, day, env, report }: Invocation<Options>): number {
  report.print('daily: a commit of others changed the program meanwhile; starting again.');

  const given: GivenOptions = { ...options, root: root.dir, out, 'as-of': day };

  const args = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === false) {
      return [];
    }

    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });

  const program = [join(checkout, 'src/cli.js'), 'daily', ...args];
  const again = { ...env, [againVariable]: '1' };

  return spawnSync(process.execPath, program, { env: again, stdio: 'inherit' }).status ?? 1;
}

/** Fills in the report. Returns 0, or the exit status of an aborted run. */
async function runDay(
  given: Invocation<Options>,
  found: DailyReport,
  stage: z.infer<typeof Stage> | undefined,
): Promise<number | 'program changed'> {
  const { root, day, signal, options } = given;
  const startedAt = new Date();

  // Several steps of a run may find the same problem.
  const alert = (alerts: readonly Alert[]) =>
    found.attention.push(
      ...alerts.filter(({ id }) => found.attention.every((known) => known.id !== id)),
    );

  const alertOfInput = (findings: readonly Finding[]) =>
    alert(alertsOf('input', findings, day, listComponents(root).names));

  try {
    if (stage === 'publish') {
      await publishDay(given, findDamage(given), found, alert);
      return 0;
    }

    if (options.push === true && synchronize(given)) {
      return 'program changed';
    }

    const damage = findDamage(given);

    alertOfInput(damage.findings);

    if (damage.isFatal) {
      return 0;
    }

    const invocation = { ...given, root: damage.working };
    const published = await publishedState(invocation);
    const config = valueOf(readSiteConfig(root));

    alert(unpublishedAlerts(published?.run?.published, day, config.staleAfterDays));

    const lost = findLostEvents(damage.published, published?.events ?? []);
    if (lost.length > 0) {
      alert(alertsOf('publish', lost, day));
      return 0;
    }

    const incomparable = readLastGood(root, given.env).findings.filter(isError);
    if (incomparable.length > 0) {
      alertOfInput(incomparable);
      return 0;
    }

    const gathered = await collect(invocation);
    if (gathered === undefined) {
      return stoppedStatus(signal);
    }

    alertOfInput([...gathered.unsaved, ...bugsOf(gathered.results)]);

    const recorded = await runRecord(invocation, startedAt, 'daily', {
      publicRun: published?.run,
      gathered: gathered.results,
      damaged: damage.held,
    });

    printRecorded(invocation, recorded);
    alertOfInput(recorded.findings.filter(isError));

    // Without journal entries, nothing is published.
    if (recorded.refusal !== undefined) {
      return 0;
    }

    const { commit, failure } = recordData(repositoryOf(invocation), (components, events) => {
      found.news = newsOf(events);
      return commitMessage(found.news, components, recorded.held);
    });
    if (commit) {
      found.commit = commit;
    }

    if (failure) {
      alert(alertsOf('commit', [failure], day));
    }

    if (signal.aborted) {
      return stoppedStatus(signal);
    }

    if (failure) {
      return 0;
    }

    const built = runBuild({ ...given, root: damage.published });

    found.isBuilt = true;
    found.components = built.components.map(componentFacts);

    const sound = built.components.filter(({ name }) => !isLeftOut(damage.working, name));

    alert(sourceAlerts(sound, day, config.staleAfterDays));

    if (stage === undefined) {
      await publishDay(given, damage, found, alert);
    }

    return 0;
  } catch (error) {
    if (error instanceof GitError) {
      alert(alertsOf('commit', [problem('data', `${error.message}. Nothing was gathered.`)], day));
    } else if (error instanceof InputError) {
      alertOfInput(error.findings);
    } else {
      throw error;
    }

    return 0;
  }
}

/** Publishes the built site, unless the host takes it from elsewhere. */
async function publishDay(
  given: Invocation<Options>,
  { working, published }: Damage,
  found: DailyReport,
  alert: (alerts: readonly Alert[]) => void,
): Promise<void> {
  const { root, day, env, report, options } = given;
  const invocation = { ...given, root: working };
  const config = valueOf(readSiteConfig(root));
  const isNowhere = hostOf(config) === 'files' && folderToPublish(invocation, config) === undefined;

  if (options['skip-publish'] === true || isNowhere) {
    if (isNowhere) {
      report.finding(
        warning(
          'daily',
          'not published: "hosting" of site/site.json names no folder, nor does --to',
        ),
      );
    }

    found.publication = { outcome: 'skipped', lines: [] };

    return;
  }

  const access = readAccessConfig(root).value;
  const ending = (access && readHostKeys(root, env, access, day).ending) ?? [];

  alert(alertsOf('key', ending, day));

  const publication = await runPublish(
    { ...given, root: published },
    { isDryRun: false, isJustBuilt: true },
  );

  report.finding(...publication.findings.filter((finding) => !isError(finding)));

  const lines = describePublication(publication);

  report.print(...lines);

  const outcome = publication.kind === 'planned' ? 'skipped' : publication.kind;

  found.publication = { outcome, lines };
  alert(publicationAlerts(publication, day));
}

/** Takes over what others have pushed. Returns whether the day has to begin with another program. */
function synchronize({ root, env, ...invocation }: Invocation): boolean {
  const { isProgramChanged, isLockChanged } = openRepository({
    root,
    env,
    ...invocation,
  }).synchronize();

  if (isLockChanged) {
    const { status } = spawnSync('npm', ['ci', '--silent', '--ignore-scripts'], {
      cwd: root.dir,
      env,
      stdio: 'inherit',
    });

    if (status !== 0) {
      throw new GitError(
        'others have changed package-lock.json, and what it names could not be installed',
      );
    }
  }

  return (isProgramChanged || isLockChanged) && env[againVariable] === undefined;
}

/** The published site before this run; undefined where this run will not publish. */
async function publishedState(
  invocation: Invocation<Options>,
): Promise<PublishedState | undefined> {
  const { root, options, baseUrl } = invocation;
  const { value: config } = readSiteConfig(root);
  if (!config || options['skip-publish'] === true) {
    return undefined;
  }

  const to = folderToPublish(invocation, config);
  if (to === undefined && hostOf(config) === 'files') {
    return undefined;
  }

  return readPublishedState({
    ...invocation,
    config,
    to,
    baseUrl: baseUrl ?? config.releasesUrl,
  });
}

function repositoryOf(invocation: Invocation<Options>) {
  const { options, report } = invocation;

  return {
    ...invocation,
    push: options.push === true,
    onLine: (text: string) => report.print(text),
  };
}

/** Merges the answers that another job gathered, or gathers; undefined for an aborted run. */
async function collect(invocation: Invocation<Options>): Promise<Gathered | undefined> {
  const { root, day, options, signal, env, report } = invocation;

  if (options.gathered !== undefined) {
    const gathered = await takeGathered(resolve(options.gathered), {
      ...mergeOptions(root, day),
      trustedRoot: readTrustedRoot(env),
      committedOn: lastCommitDay(invocation),
    });

    reportGathered(report, gathered.results);

    return gathered;
  }

  const how = { arguments: [], options: {} };
  const gathered = await runGather({ ...invocation, ...how }, { recordsFreshness: true });

  return signal.aborted ? undefined : gathered;
}
