import { findFolder, findHost } from '../../core/schemas/definition/site-config.ts';
import { isError, warning } from '../../core/schemas/finding.ts';
import { readHostKeys } from '../../deliver/publish/host-keys.ts';
import { readPublishedState, type LiveState } from '../../deliver/publish/live.ts';
import { findLostEvents, lostEvents } from '../../deliver/publish/lost-events.ts';
import type { Publication } from '../../deliver/publish/prepare-site.ts';
import { listRuns } from '../../io/files/journal-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { saveStop } from '../held-changes.ts';
import {
  describePublication,
  isPublishedNowhere,
  publish,
  type PublishStepInput,
} from '../publish-step.ts';
import {
  listFindingAlerts,
  listPublicationAlerts,
  listUnpublishedAlerts,
  readAlertLimits,
  type PublishedRuns,
} from './alerts.ts';
import { addAlerts, type DailyReport } from './daily-report.ts';

export interface PublicationInput extends Omit<
  PublishStepInput,
  'isDryRun' | 'isJustBuilt' | 'unprotect'
> {
  /** Whether something else publishes the built site. */
  skipPublish: boolean;
}

/** The published site before this run; undefined where this run will not publish. */
export async function readLiveState(input: PublicationInput): Promise<LiveState | undefined> {
  const { root, env, signal, skipPublish, baseUrl } = input;
  const { value: config } = readSiteConfig(root);
  if (!config || skipPublish || isPublishedNowhere(input.to, config)) {
    return undefined;
  }

  const to = input.to ?? findFolder(config);
  return readPublishedState({ env, signal, config, to, baseUrl: baseUrl ?? config.releasesUrl });
}

/** Reports runs that readers lack, and events of the live site that the journal lacks. Returns whether it has them all. */
export function checkLiveSite(
  input: PublicationInput,
  daily: DailyReport,
  liveState: LiveState | undefined,
  used: readonly string[],
): boolean {
  const { root, day } = input;
  const limits = readAlertLimits(root, day);
  addAlerts(daily, listUnpublishedAlerts(findPublishedRuns(input, liveState), day, limits));

  const lost = findLostEvents(root, liveState?.events ?? [], used);
  if (lost) {
    addAlerts(daily, listFindingAlerts('publish', [lost], day));
    saveStop(root, 'publication', day, lost);
  }

  return lost === undefined;
}

/** The newest run that readers have, and later ones of earlier days that only the workflow could publish. */
function findPublishedRuns(
  { root, day, skipPublish }: PublicationInput,
  liveState: LiveState | undefined,
): PublishedRuns {
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

/** Publishes the built site, unless the host takes it from elsewhere. */
export async function publishDay(input: PublicationInput, daily: DailyReport): Promise<void> {
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
