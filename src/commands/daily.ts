import { basename } from 'node:path';
import { publicationAlerts, sourceAlerts, type Alert } from '../daily/alerts.ts';
import { commitMessage } from '../daily/commit-message.ts';
import { newsOf, type News } from '../daily/news.ts';
import { emptyReport, removeDailyReport, saveDailyReport, type DailyReport } from '../daily/report.ts';
import { GitError, openRepository, type Repository } from '../daily/repository.ts';
import type { Finding } from '../model/finding.ts';
import { RecordedData } from '../model/recorded.ts';
import { parseDocument } from '../store/documents.ts';
import { readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents } from '../store/root.ts';
import { defined } from '../text.ts';
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
  const alert = (alerts: readonly Alert[]) => found.attention.push(...alerts);
  const alertOfInput = (findings: readonly Finding[]) =>
    alert(findings.map(({ subject, message }) => ({ kind: 'input', subject, message })));
  try {
    const isGathered = options['skip-gather'] === true;
    const gathered = isGathered ? undefined : await runGather({ ...invocation, options: {} });
    if (signal.aborted) return stoppedStatus(signal);
    record(invocation, found);
    if (found.attention.length > 0) return 0;

    const built = runBuild(invocation);
    found.isBuilt = true;
    found.components = built.components.map(({ name, latest, releases, freshness }) =>
      defined({ component: name, latest, releases, state: freshness.state }),
    );
    if (gathered) alertOfInput([...gathered.unsaved, ...bugsOf(gathered.results)]);
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

/** Commits what was gathered. What cannot be committed is not published either: it could not be built again. */
function record({ root, env, options, report }: Invocation, found: DailyReport): void {
  try {
    const repository = openRepository(root.dir, env);
    const files = repository.changedFiles();
    found.news = files.flatMap((file) => newsOfFile(file, repository, root) ?? []);
    if (files.length === 0) {
      report.line('daily: nothing to commit.');
      if (options['push'] !== true || !repository.isAhead()) return;
      const id = repository.push();
      report.line(`daily: pushed ${id.slice(0, 10)}, committed earlier.`);
      return;
    }
    const message = commitMessage(found.news, listComponents(root).names.length);
    const id = repository.commitData(message);
    const [subject] = message.split('\n') as [string];
    found.commit = { id, subject, isPushed: false };
    report.line(`daily: committed ${id.slice(0, 10)}: ${subject}`);
    if (options['push'] !== true) return;
    found.commit = { id: repository.push(), subject, isPushed: true };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    found.attention.push({
      kind: 'commit',
      subject: 'data',
      message: `${error.message}. Nothing was published.`,
    });
  }
}

function newsOfFile(file: string, repository: Repository, root: Invocation['root']): News | undefined {
  if (!/^data\/[^/]+\.json$/.test(file)) return undefined;
  const component = basename(file, '.json');
  const committed = repository.readCommitted(file);
  const before =
    committed === undefined ? undefined : parseDocument(Buffer.from(committed), file, RecordedData).value;
  return newsOf(component, before?.releases ?? [], readRecorded(root, component).value ?? []);
}
