import { rmSync } from 'node:fs';
import {
  InputError,
  inputError,
  isError,
  problem,
  warning,
  type Finding,
} from '../core/schemas/finding.ts';
import { findLostEvents } from '../deliver/publish/lost-events.ts';
import { GitError } from '../io/files/git.ts';
import { rejectRepositoryProblems, rejectUncommitted } from '../io/files/repository-files.ts';
import { readSiteConfig, requireSiteConfig } from '../io/files/settings-files.ts';
import { isWritable, listComponents, openCacheFolder } from '../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../io/files/save.ts';
import { runNpm } from '../io/run-npm.ts';
import { judgeEdits } from '../record/gate/judge-edits.ts';
import { openAccepted } from '../record/gate/last-good-files.ts';
import { build } from './build-step.ts';
import {
  describeSubject,
  listFindingAlerts,
  listHeldAlerts,
  listSourceAlerts,
  unpublishedCause,
} from './daily/alerts.ts';
import { commitData } from './daily/commit-data.ts';
import { readEarlierRuns } from './daily/reminders.ts';
import {
  addAlerts,
  dailyReportPath,
  readDailyReport,
  type Alert,
  type DailyReport,
  type OpenReport,
} from './daily/daily-report.ts';
import { publishDay, readPublishedSite, type PublicationInput } from './daily/publish-day.ts';
import { synchronize } from './daily/repository.ts';
import { gather, listBugs } from './gather-step.ts';
import { saveStop } from './held-changes.ts';
import { checkFolder } from './publish-step.ts';
import { printRecorded, record, type RecordedDay } from './record-step.ts';

interface DayInput extends PublicationInput {
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
  /** Whether to push the commit before anything is published. */
  push: boolean;
  /** `build`: all but the publication; `publish`: only that. All where absent. */
  stage: 'build' | 'publish' | undefined;
}

/**
 * Gathers, records, commits, builds and publishes. A component that fails does not affect the others. Publishes only committed
 * data. Returns the report; undefined if others changed the program or its packages: the checkout is then up to date, and the day
 * must begin again with them. Throws the reason of an aborted signal.
 */
export async function runDay(input: DayInput): Promise<DailyReport | undefined> {
  const { root, report } = input;
  const daily = beginReport(input);

  // An interrupted run must not leave the report of an earlier run.
  rmSync(dailyReportPath(root), { force: true });

  if (!(await takeSteps(input, daily))) {
    return undefined;
  }

  const attention = dropExplainedAlerts(daily);
  for (const alert of attention) {
    const subject = describeSubject(alert);
    const { message, isDue } = alert;
    report.finding(isDue ? problem(subject, message) : warning(subject, message));
  }

  const finished = { ...daily, attention, finishedAt: new Date().toISOString() };
  openCacheFolder(root);
  saveIfChanged(dailyReportPath(root), formatDocument(finished));
  return finished;
}

/** An empty report; for the second stage, the report of the first, which has built a site. */
function beginReport({ root, day, env, stage }: DayInput): OpenReport {
  if (stage !== 'publish') {
    return {
      verb: 'daily',
      asOf: day,
      run: env['GITHUB_RUN_ID'],
      isBuilt: false,
      attention: [],
    };
  }

  const lastReport = readDailyReport(root);
  if (lastReport?.isBuilt !== true || lastReport.publication) {
    throw inputError('--stage publish', 'no site waits to be published. Run: daily --stage build');
  }

  return lastReport;
}

/** Drops the alert about an old live site if the run has published a site, or if a due alert about the whole index explains it. */
function dropExplainedAlerts({ attention, publication }: OpenReport): Alert[] {
  const alerts = attention.filter(({ cause }) => cause !== unpublishedCause);
  const isExplained = alerts.some(({ components, isDue }) => components.length === 0 && isDue);
  const isPublished = ['published', 'unchanged'].includes(publication ?? '');
  return isExplained || isPublished ? alerts : attention;
}

/**
 * Takes the steps of the day or of its stage. They add to its report, as does a problem that ends the day. False if the day must
 * begin again.
 */
async function takeSteps(input: DayInput, daily: OpenReport): Promise<boolean> {
  const { root, env } = input;
  const startedAt = new Date();

  try {
    const config = readSiteConfig(root).value;
    if (config) {
      checkFolder(input, config);
    }

    if (input.stage === 'publish') {
      rejectRepositoryProblems(root, env);
      // As the first stage has built it.
      const acceptedRoot = openAccepted(root);
      await publishDay({ ...input, root: acceptedRoot }, daily);
      return true;
    }

    rejectUncommitted(root, env);
    if (input.push && takeOverCommits(input)) {
      return false;
    }

    rejectRepositoryProblems(root, env);
    await makeDay(input, daily, startedAt);
  } catch (error) {
    addAlerts(daily, handleFailure(input, error));
  }

  return true;
}

/** Returns the alerts about a problem that ended the day; a cut history also stops the index. Throws an unexpected error again. */
function handleFailure(input: DayInput, error: unknown): Alert[] {
  const { root, day } = input;
  if (error instanceof GitError) {
    const failure = problem('data', `${error.message}. Nothing was published.`);
    return listFindingAlerts('commit', [failure], day);
  }
  if (!(error instanceof InputError)) {
    throw error;
  }

  saveStop(root, day, error.findings);
  return listInputAlerts(input, error.findings);
}

function listInputAlerts({ root, day }: DayInput, findings: readonly Finding[]): Alert[] {
  return listFindingAlerts('input', findings, day, listComponents(root).names);
}

/** Gathers and records; then commits, builds and publishes. */
async function makeDay(input: DayInput, daily: OpenReport, startedAt: Date): Promise<void> {
  const { root, day, report, signal } = input;
  const edits = judgeEdits(input);
  // Components whose edits wait are gathered and published as they were.
  const acceptedInput = { ...input, root: edits.root };
  const { live, alerts } = await readPublishedSite(acceptedInput);
  addAlerts(daily, alerts);
  const lost = live && findLostEvents(edits.root, live.events, edits.used);
  if (lost) {
    saveStop(root, day, [lost]);
    addAlerts(daily, listFindingAlerts('publish', [lost], day));
    return;
  }

  const { unsaved, results: gathered } = await gather({ ...acceptedInput, edits });
  signal.throwIfAborted();
  addAlerts(daily, listInputAlerts(input, [...unsaved, ...listBugs(gathered)]));

  const recorded = await record({
    ...input,
    startedAt,
    publicRun: live?.run,
    edits,
    gathered,
  });
  printRecorded(report, recorded);
  addAlerts(daily, listInputAlerts(input, recorded.findings.filter(isError)));
  addAlerts(daily, listHeldAlerts(recorded.held, day, readEarlierRuns(root, day)));

  // Components whose new data waits are published as they were.
  const accepted = { ...input, root: recorded.root };
  await deliverDay(accepted, daily, recorded, edits.lastRun?.at);
}

/** Commits, builds and publishes the recorded data. `committedAt`: the instant of the last committed run. */
async function deliverDay(
  input: DayInput,
  daily: OpenReport,
  { held, used }: RecordedDay,
  committedAt: string | undefined,
): Promise<void> {
  const { root, day, signal, stage } = input;
  commitData({ ...input, held, used, committedAt });
  signal.throwIfAborted();
  const { components } = await build(input);
  daily.isBuilt = true;
  const writable = components.filter(({ name }) => isWritable(root, name, 'data'));
  const { staleAfterDays } = requireSiteConfig(root);
  addAlerts(daily, listSourceAlerts(writable, day, staleAfterDays, readEarlierRuns(root, day)));

  if (stage === undefined) {
    await publishDay(input, daily);
  }
}

/**
 * Takes over commits of others, and installs changed packages. Returns whether the day must begin again with their program or
 * packages.
 */
function takeOverCommits(input: DayInput): boolean {
  const { root, env } = input;
  const { isProgramChanged, isLockChanged } = synchronize(input);

  if (isLockChanged) {
    const failure = runNpm(['ci', '--ignore-scripts'], root.dir, env);
    if (failure !== undefined) {
      throw new GitError(
        `others have changed package-lock.json, and npm cannot install it: ${failure}`,
      );
    }
  }

  return isProgramChanged || isLockChanged;
}
