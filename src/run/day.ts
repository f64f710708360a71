import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { findFolder, findHost } from '../core/schemas/definition/site-config.ts';
import {
  InputError,
  inputError,
  isError,
  problem,
  warning,
  type Finding,
} from '../core/schemas/finding.ts';
import { readHostKeys } from '../deliver/publish/host-keys.ts';
import { readPublishedState, type LiveState } from '../deliver/publish/live.ts';
import { findLostEvents, lostEvents } from '../deliver/publish/lost-events.ts';
import type { Publication } from '../deliver/publish/prepare-site.ts';
import { formatDocument, saveIfChanged } from '../io/files/file-system.ts';
import { GitError } from '../io/files/git.ts';
import { rejectHiddenFiles, rejectUncommitted } from '../io/files/hidden-files.ts';
import { listRuns } from '../io/files/journal-files.ts';
import { unwrapResult } from '../io/files/read-documents.ts';
import { readAccessConfig, readSiteConfig } from '../io/files/read.ts';
import { isWritable, listComponents } from '../io/files/root.ts';
import { judgeEdits } from '../record/gate/judge-edits.ts';
import { cutHistory } from '../record/gate/last-run.ts';
import { build, summariseComponent } from './build-step.ts';
import {
  listFindingAlerts,
  listHeldAlerts,
  listSourceAlerts,
  listUnpublishedAlerts,
  listPublicationAlerts,
  describeSubject,
  unpublishedCause,
  type Alert,
  type EarlierRun,
} from './daily/alerts.ts';
import { dailyReportPath, readReport, type DailyReport } from './daily/daily-report.ts';
import { recordData, synchronize } from './daily/record-data.ts';
import { listBugs, gather } from './gather-step.ts';
import { saveStop } from './held-changes.ts';
import { checkFolder, describePublication, isPublishedNowhere, publish } from './publish-step.ts';
import { printRecorded, record, type RecordedDay } from './record-step.ts';
import type { RunContext } from './run-context.ts';

interface DayInput extends RunContext {
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
  /** Whether to push the commit before anything is published. */
  push: boolean;
  /** Whether something else publishes the built site. */
  skipPublish: boolean;
  /** `build`: all but the publication; `publish`: only that. All where absent. */
  stage: 'build' | 'publish' | undefined;
  /** The folder for the site, in place of the folder of the configuration. Absolute. */
  to: string | undefined;
  /** Whether the day may begin again with a changed program. */
  mayStartAgain: boolean;
}

/** How a day ended early. */
type EarlyEnd = 'stopped' | 'program changed';

type DayEnd =
  | { kind: 'stopped' }
  | { kind: 'program changed' }
  | {
      kind: 'done';
      report: DailyReport;
      /** Whether a person has to act. */
      isUrgent: boolean;
    };

/**
 * Gathers, records, commits, builds and publishes. A component that fails does not affect the others. Publishes only committed
 * data.
 */
export async function runDay(input: DayInput): Promise<DayEnd> {
  const { root, report } = input;
  const daily = beginReport(input, readReport(root));

  // An interrupted run must not leave the report of an earlier run.
  rmSync(dailyReportPath(root), { force: true });

  const end = await takeSteps(input, daily);
  if (end !== 'done') {
    return { kind: end };
  }

  const otherAlerts = daily.attention.filter(({ cause }) => cause !== unpublishedCause);
  const isPublished = ['published', 'unchanged'].includes(daily.publication?.outcome ?? '');

  // A problem of the whole index is also why nothing was published: one alert for both.
  const isExplained = otherAlerts.some(({ components, isDue }) => components.length === 0 && isDue);
  if (isExplained || isPublished) {
    daily.attention = otherAlerts;
  }

  daily.finishedAt = new Date().toISOString();

  for (const alert of daily.attention) {
    const subject = describeSubject(alert);
    const { message, isDue } = alert;
    report.finding(isDue ? problem(subject, message) : warning(subject, message));
  }

  saveIfChanged(dailyReportPath(root), formatDocument(daily));
  return {
    kind: 'done',
    report: daily,
    isUrgent: daily.attention.some(({ isDue }) => isDue),
  };
}

/** An empty report; for the second stage, the report of the first, which has built a site. */
function beginReport(
  { day, env, stage }: DayInput,
  lastReport: DailyReport | undefined,
): DailyReport {
  if (stage !== 'publish') {
    return {
      verb: 'daily',
      asOf: day,
      run: env['GITHUB_RUN_ID'],
      finishedAt: '',
      news: [],
      components: [],
      isBuilt: false,
      attention: [],
    };
  }

  if (lastReport?.isBuilt !== true || lastReport.publication) {
    throw inputError('--stage publish', 'no site waits to be published. Run: daily --stage build');
  }

  return lastReport;
}

/** Several steps of a run may find the same problem. */
function addAlerts({ attention }: DailyReport, alerts: readonly Alert[]): void {
  for (const alert of alerts) {
    if (attention.every(({ id }) => id !== alert.id)) {
      attention.push(alert);
    }
  }
}

function addInputAlerts({ root, day }: DayInput, daily: DailyReport, findings: readonly Finding[]) {
  addAlerts(daily, listFindingAlerts('input', findings, day, listComponents(root).names));
}

/** Fills in the report. A problem that ends the day is an alert of the report. */
async function takeSteps(input: DayInput, daily: DailyReport): Promise<'done' | EarlyEnd> {
  const startedAt = new Date();
  const config = readSiteConfig(input.root).value;

  try {
    if (config) {
      checkFolder(input.to, config);
    }

    if (input.stage === 'publish') {
      rejectHiddenFiles(input.root, input.env);
      await publishDay(input, daily);
      return 'done';
    }

    rejectUncommitted(input.root, input.env);

    if (input.push && takeOverCommits(input)) {
      return 'program changed';
    }

    return await makeDay(input, daily, startedAt);
  } catch (error) {
    if (error instanceof GitError) {
      const message = `${error.message}. Nothing was gathered.`;
      addAlerts(daily, listFindingAlerts('commit', [problem('data', message)], input.day));
    } else if (error instanceof InputError) {
      const cut = error.findings.find(({ kind }) => kind === cutHistory);
      if (cut) {
        saveStop(input.root, 'history', input.day, cut);
      }

      addInputAlerts(input, daily, error.findings);
    } else {
      throw error;
    }

    return 'done';
  }
}

async function makeDay(
  input: DayInput,
  daily: DailyReport,
  startedAt: Date,
): Promise<'done' | 'stopped'> {
  const { root, env, signal, stage } = input;
  rejectHiddenFiles(root, env);

  const edits = judgeEdits(input);
  const acceptedInput = { ...input, root: { ...edits.root, waits: edits.lastRun?.waits ?? [] } };
  const liveState = await readStateBefore(acceptedInput);
  if (!checkLiveEvents(acceptedInput, daily, liveState, edits.used)) {
    return 'done';
  }

  const gathered = await gather({ ...acceptedInput, savesLater: true });
  if (signal.aborted) {
    return 'stopped';
  }

  addInputAlerts(input, daily, [...gathered.unsaved, ...listBugs(gathered.results)]);

  const recorded = await record({
    ...input,
    startedAt,
    publicRun: liveState?.run,
    edits,
    gathered: gathered.results,
  });
  const recordedInput = { ...input, root: recorded.root };
  printRecorded(input.report, recorded);
  addInputAlerts(input, daily, recorded.findings.filter(isError));
  addAlerts(daily, listHeldAlerts(recorded.held, input.day, findEarlierRun(input)));

  // Without journal entries, nothing is published.
  if (recorded.refusal !== undefined) {
    return 'done';
  }

  const isCommitted = commitDay(recordedInput, recorded, daily);
  if (signal.aborted) {
    return 'stopped';
  }
  if (!isCommitted) {
    return 'done';
  }

  try {
    await buildDay(recordedInput, daily);
  } catch (error) {
    if (signal.aborted) {
      return 'stopped';
    }

    throw error;
  }

  if (stage === undefined) {
    await publishDay(recordedInput, daily);
  }

  return 'done';
}

/** The last run of an earlier day: its alerts are not new today. */
function findEarlierRun({ root, day }: DayInput): EarlierRun {
  const runs = listRuns(root).runs.filter(({ asOf }) => asOf < day);
  const run = runs.at(-1);
  const allWaits = runs.flatMap(({ waits = [] }) => waits);
  return { day: run?.asOf ?? '', waits: run?.waits ?? [], allWaits };
}

/** Reports runs that readers lack. Returns whether the journal has every event of the live site, and reports lost ones. */
function checkLiveEvents(
  input: DayInput,
  daily: DailyReport,
  liveState: LiveState | undefined,
  used: readonly string[],
): boolean {
  const { root, day } = input;
  const { staleAfterDays } = unwrapResult(readSiteConfig(root));
  const limits = { staleAfterDays, earlier: findEarlierRun(input) };
  addAlerts(daily, listUnpublishedAlerts(findPublishedRuns(input, liveState), day, limits));

  const lost = findLostEvents(root, liveState?.events ?? [], used);
  if (lost) {
    addAlerts(daily, listFindingAlerts('publish', [lost], day));
    saveStop(root, 'publication', day, lost);
  }

  return lost === undefined;
}

/** The newest run that readers have, and later ones of earlier days that only the workflow could publish. */
function findPublishedRuns({ root, day, skipPublish }: DayInput, liveState: LiveState | undefined) {
  const { runs } = listRuns(root);
  const liveAt = liveState?.run.published ?? runs.findLast((run) => run.published)?.published;
  const isUnread = liveState === undefined && liveAt !== undefined;
  const isDeployed = findHost(unwrapResult(readSiteConfig(root))) === 'pages' && !skipPublish;
  if (isUnread || !isDeployed) {
    return { liveAt, missingDays: [] };
  }

  const laterRuns = runs.filter(
    ({ asOf, at, requested }) =>
      asOf < day &&
      (liveAt === undefined || at > liveAt) &&
      requested[0] === 'daily' &&
      !requested.includes('--skip-publish'),
  );
  return { liveAt, missingDays: laterRuns.map(({ asOf }) => asOf) };
}

/** Commits, and pushes where wanted. Returns whether the site may be built from the commit. */
function commitDay(input: DayInput, { held, used }: RecordedDay, daily: DailyReport): boolean {
  const { day, push, report } = input;
  const onLine = (text: string) => report.print(text);
  const { news, commit, failure } = recordData({ ...input, push, onLine, held, used });
  daily.news = news;

  if (commit) {
    daily.commit = commit;
  }

  if (failure) {
    addAlerts(daily, listFindingAlerts('commit', [failure], day));
  }

  return failure === undefined;
}

async function buildDay(input: DayInput, daily: DailyReport): Promise<void> {
  const { root, day } = input;
  const built = await build(input);

  daily.isBuilt = true;
  daily.components = built.components.map(summariseComponent);

  const { staleAfterDays } = unwrapResult(readSiteConfig(root));
  const writable = built.components.filter(({ name }) => isWritable(root, name, 'data'));
  const limits = { staleAfterDays, earlier: findEarlierRun(input) };
  addAlerts(daily, listSourceAlerts(writable, day, limits));
}

/** Publishes the built site, unless the host takes it from elsewhere. */
async function publishDay(input: DayInput, daily: DailyReport): Promise<void> {
  const { root, day, env, report, skipPublish, to } = input;
  const config = unwrapResult(readSiteConfig(root));
  const isNowhere = isPublishedNowhere(to, config);
  if (isNowhere) {
    const message = 'not published: "hosting" of site/site.json names no folder, nor does --to';
    report.finding(warning('daily', message));
  }
  if (skipPublish || isNowhere) {
    daily.publication = { outcome: 'skipped', lines: [] };
    return;
  }

  const access = readAccessConfig(root).value;
  const keyWarnings = (access && readHostKeys(root, env, access, day).ending) ?? [];
  addAlerts(daily, listFindingAlerts('key', keyWarnings, day));

  const publication = await publish({
    ...input,
    isDryRun: false,
    isJustBuilt: true,
    unprotect: false,
  });
  report.finding(...publication.findings.filter((finding) => !isError(finding)));
  const lines = describePublication(publication);
  report.print(...lines);
  const outcome = publication.kind === 'planned' ? 'skipped' : publication.kind;
  daily.publication = { outcome, lines };

  if (isSiteOutage(publication, to ?? findFolder(config))) {
    const errors = publication.findings.filter(isError);
    report.finding(...errors.map((error) => ({ ...error, level: 'warning' as const })));
  } else {
    addAlerts(daily, listPublicationAlerts(publication, day));
  }

  const lost = publication.findings.find(({ kind }) => kind === lostEvents);
  if (lost) {
    saveStop(root, 'publication', day, lost);
  }
}

/** Whether the live site could not be read at its address: it has as many days to answer as an upstream. */
function isSiteOutage(publication: Publication, folder: string | undefined): boolean {
  const errors = publication.findings.filter(isError);
  return (
    publication.kind === 'failed' &&
    folder === undefined &&
    errors.every(({ subject }) => subject === 'live site')
  );
}

/** Takes over commits of others. Returns whether the day has to begin again with a changed program. */
function takeOverCommits(input: DayInput): boolean {
  const { root, env, mayStartAgain } = input;
  const { isProgramChanged, isLockChanged } = synchronize(input);

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

  return (isProgramChanged || isLockChanged) && mayStartAgain;
}

/** The published site before this run; undefined where this run will not publish. */
async function readStateBefore(input: DayInput): Promise<LiveState | undefined> {
  const { root, env, signal, skipPublish, baseUrl } = input;
  const { value: config } = readSiteConfig(root);
  if (!config || skipPublish || isPublishedNowhere(input.to, config)) {
    return undefined;
  }

  const to = input.to ?? findFolder(config);
  return readPublishedState({ env, signal, config, to, baseUrl: baseUrl ?? config.releasesUrl });
}
