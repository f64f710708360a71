import { resolve } from 'node:path';
import { publicationAlerts, sourceAlerts, type Alert } from '../../deliver/daily/alerts.ts';
import { recordData } from '../../deliver/daily/record-data.ts';
import {
  emptyReport,
  removeDailyReport,
  saveDailyReport,
  type DailyReport,
} from '../../deliver/daily/daily-report.ts';
import { takeGathered } from '../../deliver/daily/take-gathered.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { defined, listed } from '../../core/text.ts';
import { writeDailySummary, writeOutputs } from './job-summary.ts';
import { runBuild } from './build.ts';
import { InputError, stoppedStatus, type Invocation } from './command.ts';
import { bugsOf, runGather } from './gather.ts';
import { describe, runPublish } from './publish.ts';

/**
 * Gathers, commits, builds and publishes. A component that fails does not affect the others, and what could not be
 * committed is not published. Ends with 1 where a person has to look at something.
 */
export async function daily(invocation: Invocation): Promise<number> {
  const { root, day, report, env } = invocation;
  const found = emptyReport(day);
  removeDailyReport(root);
  const stopped = await runDay(invocation, found);
  if (stopped !== 0) return stopped;
  for (const { subject, message } of found.attention) report.finding({ level: 'error', subject, message });
  saveDailyReport(root, found);
  if (env['GITHUB_STEP_SUMMARY']) {
    await writeDailySummary(found);
    writeOutputs({ built: found.isBuilt, published: found.publication?.outcome === 'published' });
  }
  report.result(found);
  return found.attention.length > 0 ? 1 : 0;
}

/** Fills in the report. Returns 0, or the exit status of a run that was stopped. */
async function runDay(invocation: Invocation, found: DailyReport): Promise<number> {
  const { root, day, signal, report, options } = invocation;
  const isKnown = ({ subject, message }: Alert) =>
    found.attention.some((known) => known.subject === subject && known.message === message);
  // Several steps of a run may come upon the same problem.
  const alert = (alerts: readonly Alert[]) => found.attention.push(...alerts.filter((one) => !isKnown(one)));
  const alertOfInput = (findings: readonly Finding[]) =>
    alert(findings.map(({ subject, message }) => ({ kind: 'input', subject, message })));
  try {
    const uncollected = await collect(invocation);
    if (uncollected === undefined) return stoppedStatus(signal);
    alertOfInput(uncollected);
    const isRecorded = await record(invocation, found);
    if (signal.aborted) return stoppedStatus(signal);
    if (!isRecorded) return 0;

    const built = runBuild(invocation);
    found.isBuilt = true;
    found.components = built.components.map(({ name, latest, releases, freshness }) =>
      defined({ component: name, latest, releases, state: freshness.state }),
    );
    alert(sourceAlerts(built.components, day, readSiteConfig(root).value!.staleAfterDays));
    if (options['skip-publish'] === true) {
      found.publication = { outcome: 'skipped', lines: [] };
      return 0;
    }
    const publication = await runPublish(invocation, false);
    for (const finding of publication.findings) if (finding.level !== 'error') report.finding(finding);
    const lines = describe(publication);
    for (const line of lines) report.line(line);
    const outcome = publication.kind === 'planned' ? 'skipped' : publication.kind;
    found.publication = { outcome, lines };
    alert(publicationAlerts(publication));
    return 0;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    alertOfInput(error.findings);
    return 0;
  }
}

/** Takes what was gathered before, or gathers; undefined where the run was stopped. */
async function collect(invocation: Invocation): Promise<readonly Finding[] | undefined> {
  const { root, day, options, signal } = invocation;
  if (typeof options['gathered'] === 'string') return takeGathered(root, resolve(options['gathered']), day);
  const { unsaved, results } = await gatherFor(invocation, []);
  return signal.aborted ? undefined : [...unsaved, ...bugsOf(results)];
}

function gatherFor(invocation: Invocation, components: readonly string[]): ReturnType<typeof runGather> {
  return runGather({ ...invocation, arguments: components, options: { 'record-freshness': true } });
}

/** Others may commit to the same files at the same time. */
const mostAttempts = 3;

/**
 * Where others have changed the files of a component meanwhile, theirs are kept, and it is gathered again on top. Returns
 * whether the site may be published.
 */
async function record(invocation: Invocation, found: DailyReport): Promise<boolean> {
  const { options, report } = invocation;
  for (let attempt = 1; ; attempt++) {
    const { news, commit, alerts, withheld, overlap } = recordData({
      ...invocation,
      push: options['push'] === true,
      onLine: (text) => report.line(text),
    });
    Object.assign(found, { news, ...(commit && { commit }) });
    found.attention.push(...withheld, ...alerts);
    if (overlap.length === 0) return alerts.length === 0;
    if (attempt === mostAttempts) {
      const message = `others change the files of ${listed(overlap, 3)} all the time. Nothing was published.`;
      found.attention.push({ kind: 'commit', subject: 'data', message });
      return false;
    }
    const isAskedAgain = options['gathered'] === undefined;
    const next = isAskedAgain
      ? 'They are gathered again.'
      : 'What was gathered of them waits for the next run.';
    const message = `others have changed the files of ${listed(overlap, 3)} meanwhile. Theirs are kept. ${next}`;
    report.finding({ level: 'warning', subject: 'data', message });
    if (isAskedAgain) await gatherFor(invocation, overlap);
    if (invocation.signal.aborted) return false;
  }
}
