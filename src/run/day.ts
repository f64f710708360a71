import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import {
  InputError,
  inputError,
  isError,
  problem,
  warning,
  type Finding,
} from '../core/schemas/finding.ts';
import { readPublishedState, type LiveState } from '../deliver/publish/live.ts';
import { findLostEvents } from '../deliver/publish/live-events.ts';
import { readHostKeys } from '../deliver/publish/host-keys.ts';
import { GitError } from '../io/files/git.ts';
import { rejectHiddenFiles } from '../io/files/hidden-files.ts';
import { readAccessConfig, readSiteConfig } from '../io/files/read.ts';
import { valueOf } from '../io/files/read-documents.ts';
import { isLeftOut, listComponents } from '../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../io/files/save.ts';
import type { Recorded } from '../record/journal/record-journal.ts';
import type { HeldChange } from '../core/schemas/recorded/held.ts';
import { build, componentFacts } from './build-step.ts';
import {
  alertsOf,
  isUrgent,
  keepSince,
  publicationAlerts,
  sourceAlerts,
  subjectOf,
  unpublishedAlerts,
  unpublishedCause,
  type Alert,
} from './daily/alerts.ts';
import {
  commitMessage,
  dailyReportPath,
  newsOf,
  readReport,
  type DailyReport,
} from './daily/daily-report.ts';
import { findDamage, type Damage } from './daily/find-damage.ts';
import { Repository, recordData } from './daily/record-data.ts';
import { bugsOf, gather } from './gather-step.ts';
import {
  checkFolder,
  describePublication,
  folderToPublish,
  isPublishedNowhere,
  publish,
} from './publish-step.ts';
import { printRecorded, record } from './record-step.ts';
import type { RunContext } from './run-context.ts';

interface DayInput extends RunContext {
  /** The verb and the names of its options, without values. */
  readonly requested: readonly string[];
  /** Whether to push the commit before anything is published. */
  readonly push: boolean;
  /** Whether something else publishes the built site. */
  readonly skipPublish: boolean;
  /** `build`: all but the publication; `publish`: only that. All where absent. */
  readonly stage: 'build' | 'publish' | undefined;
  /** The folder for the site, in place of the folder of the configuration. Absolute. */
  readonly to: string | undefined;
  /** Whether the day may begin again with a changed program. */
  readonly mayStartAgain: boolean;
}

/** How a day ended early. */
type EarlyEnd = 'stopped' | 'program changed';

type DayEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'program changed' }
  | {
      readonly kind: 'done';
      readonly report: DailyReport;
      /** Whether a person has to act. */
      readonly isUrgent: boolean;
    };

/**
 * Gathers, records, commits, builds and publishes. A component that fails does not affect the others. Publishes only committed
 * data.
 */
export async function runDay(input: DayInput): Promise<DayEnd> {
  const { root, report } = input;
  const config = readSiteConfig(root).value;
  if (config) {
    checkFolder(input.to, config);
  }

  const lastReport = readReport(root);
  const news = beginReport(input, lastReport);

  // An interrupted run must not leave the report of an earlier run.
  rmSync(dailyReportPath(root), { force: true });

  const end = await takeSteps(input, news);
  if (end !== 'done') {
    return { kind: end };
  }

  const others = news.attention.filter(({ cause }) => cause !== unpublishedCause);

  // One cause has one alert: what stops the whole index is why nothing was published.
  const isTold = others.some((alert) => alert.components.length === 0 && isUrgent(alert));

  if (isTold || ['published', 'unchanged', 'ready'].includes(news.publication?.outcome ?? '')) {
    news.attention = others;
  }

  news.attention = keepSince(news.attention, lastReport?.attention ?? []);
  news.finishedAt = new Date().toISOString();

  for (const alert of news.attention) {
    report.finding((isUrgent(alert) ? problem : warning)(subjectOf(alert), alert.message));
  }

  saveIfChanged(dailyReportPath(root), formatDocument(news));

  return { kind: 'done', report: news, isUrgent: news.attention.some(isUrgent) };
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

function addInputAlerts({ root, day }: DayInput, news: DailyReport, findings: readonly Finding[]) {
  addAlerts(news, alertsOf('input', findings, day, listComponents(root).names));
}

/** Fills in the report. A problem that ends the day is an alert of the report. */
async function takeSteps(input: DayInput, news: DailyReport): Promise<'done' | EarlyEnd> {
  const startedAt = new Date();

  try {
    if (input.stage === 'publish') {
      rejectHiddenFiles(input.root, input.env);
      await publishDay(input, findDamage(input), news);
      return 'done';
    }

    if (input.push && synchronize(input)) {
      return 'program changed';
    }

    return await makeDay(input, news, startedAt);
  } catch (error) {
    if (error instanceof GitError) {
      const message = `${error.message}. Nothing was gathered.`;
      addAlerts(news, alertsOf('commit', [problem('data', message)], input.day));
    } else if (error instanceof InputError) {
      addInputAlerts(input, news, error.findings);
    } else {
      throw error;
    }

    return 'done';
  }
}

async function makeDay(
  input: DayInput,
  news: DailyReport,
  startedAt: Date,
): Promise<'done' | 'stopped'> {
  const { root, env, report, signal, stage, requested } = input;

  rejectHiddenFiles(root, env);

  const damage = findDamage(input);

  addInputAlerts(input, news, damage.findings);

  if (damage.isFatal) {
    return 'done';
  }

  const working = { ...input, root: damage.working };
  const published = await publishedState(working);
  if (!isComparable(input, damage, published, news)) {
    return 'done';
  }

  const gathered = await gather({ ...working, recordsFreshness: true });
  if (signal.aborted) {
    return 'stopped';
  }

  addInputAlerts(input, news, [...gathered.unsaved, ...bugsOf(gathered.results)]);

  const recorded = await record({
    ...working,
    startedAt,
    requested,
    publicRun: published?.run,
    gathered: gathered.results,
    damaged: damage.held,
  });

  printRecorded(report, recorded);
  addInputAlerts(input, news, recorded.findings.filter(isError));

  // Without journal entries, nothing is published.
  if (recorded.refusal !== undefined) {
    return 'done';
  }

  const isCommitted = commitDay(working, recorded, news);
  if (signal.aborted) {
    return 'stopped';
  }

  if (!isCommitted) {
    return 'done';
  }

  try {
    await buildDay(input, damage, news);
  } catch (error) {
    if (signal.aborted) {
      return 'stopped';
    }

    throw error;
  }

  if (stage === undefined) {
    await publishDay(input, damage, news);
  }

  return 'done';
}

/** Whether the changes of the day can be judged: by the live site, and by the last run. */
function isComparable(
  input: DayInput,
  damage: Damage,
  published: LiveState | undefined,
  news: DailyReport,
): boolean {
  const { root, day } = input;
  const { staleAfterDays } = valueOf(readSiteConfig(root));

  addAlerts(news, unpublishedAlerts(published?.run?.published, day, staleAfterDays));

  const lost = findLostEvents(damage.published, published?.events ?? []);
  if (lost.length > 0) {
    addAlerts(news, alertsOf('publish', lost, day));
    return false;
  }

  addInputAlerts(input, news, damage.incomparable);

  return damage.incomparable.length === 0;
}

/** Commits, and pushes where wanted. Returns whether the site may be built from the commit. */
function commitDay(
  input: DayInput,
  { held }: Recorded & { held: readonly HeldChange[] },
  news: DailyReport,
): boolean {
  const { day, push, report } = input;
  const repository = { ...input, push, onLine: (text: string) => report.print(text) };

  const { commit, failure } = recordData(repository, (components, events) => {
    news.news = newsOf(events);
    return commitMessage(news.news, components, held);
  });

  if (commit) {
    news.commit = commit;
  }

  if (failure) {
    addAlerts(news, alertsOf('commit', [failure], day));
  }

  return failure === undefined;
}

async function buildDay(
  input: DayInput,
  { working, published }: Damage,
  news: DailyReport,
): Promise<void> {
  const { root, day } = input;
  const built = await build({ ...input, root: published });

  news.isBuilt = true;
  news.components = built.components.map(componentFacts);

  const sound = built.components.filter(({ name }) => !isLeftOut(working, name));
  const { staleAfterDays } = valueOf(readSiteConfig(root));

  addAlerts(news, sourceAlerts(sound, day, staleAfterDays));
}

/** Publishes the built site, unless the host takes it from elsewhere. */
async function publishDay(
  input: DayInput,
  { published }: Damage,
  news: DailyReport,
): Promise<void> {
  const { root, day, env, report, skipPublish, to } = input;
  const config = valueOf(readSiteConfig(root));
  const isNowhere = isPublishedNowhere(to, config);

  if (isNowhere) {
    const message = 'not published: "hosting" of site/site.json names no folder, nor does --to';
    report.finding(warning('daily', message));
  }

  if (skipPublish || isNowhere) {
    news.publication = { outcome: 'skipped', lines: [] };
    return;
  }

  const access = readAccessConfig(root).value;
  const ending = (access && readHostKeys(root, env, access, day).ending) ?? [];

  addAlerts(news, alertsOf('key', ending, day));

  const publication = await publish({
    ...input,
    root: published,
    isDryRun: false,
    isJustBuilt: true,
    unprotect: false,
  });

  report.finding(...publication.findings.filter((finding) => !isError(finding)));

  const lines = describePublication(publication);

  report.print(...lines);

  const outcome = publication.kind === 'planned' ? 'skipped' : publication.kind;

  news.publication = { outcome, lines };
  addAlerts(news, publicationAlerts(publication, day));
}

/** Takes over what others have pushed. Returns whether the day has to begin with another program. */
function synchronize({ root, checkout, env, mayStartAgain }: DayInput): boolean {
  const repository = new Repository({ root, checkout, env });
  const { isProgramChanged, isLockChanged } = repository.synchronize();

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
async function publishedState(input: DayInput): Promise<LiveState | undefined> {
  const { root, env, signal, skipPublish, baseUrl } = input;
  const { value: config } = readSiteConfig(root);
  if (!config || skipPublish || isPublishedNowhere(input.to, config)) {
    return undefined;
  }

  const to = folderToPublish(input.to, config);

  return readPublishedState({ env, signal, config, to, baseUrl: baseUrl ?? config.releasesUrl });
}
