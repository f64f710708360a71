import { findHost, type SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { isError, warning } from '../../core/schemas/finding.ts';
import { endingKey, readHostKeys } from '../../deliver/publish/host-keys.ts';
import { readLive, type LiveSite } from '../../deliver/publish/live.ts';
import type { Publication } from '../../deliver/publish/publication.ts';
import { listRuns } from '../../io/files/recorded-files.ts';
import { readAccessConfig, requireSiteConfig } from '../../io/files/settings-files.ts';
import { describePublication } from '../describe-publication.ts';
import { saveStop } from '../held-changes.ts';
import { chooseFolder, isPublishedNowhere, publish, type PublishingRun } from '../publish-step.ts';
import {
  listFindingAlerts,
  listPublicationAlerts,
  listUnpublishedAlerts,
  type PublishedRuns,
} from './alerts.ts';
import { addAlerts, type Alert, type OpenReport } from './daily-report.ts';
import { readEarlierRuns } from './reminders.ts';

export interface PublicationInput extends PublishingRun {
  /** Whether something else publishes the built site. */
  skipPublish: boolean;
}

/** Whether this run or the workflow around it publishes the site, so the run judges what readers have. */
function isPublisher({ skipPublish, to }: PublicationInput, config: SiteConfig): boolean {
  return !skipPublish && !isPublishedNowhere(to, config);
}

/**
 * The site that readers have before this run, and the alerts about earlier runs that it lacks. No site if it cannot be read, and
 * nothing if this run does not publish.
 */
export async function readPublishedSite(
  input: PublicationInput,
): Promise<{ live?: LiveSite | undefined; alerts: Alert[] }> {
  const { root, day, to } = input;
  const config = requireSiteConfig(root);
  if (!isPublisher(input, config)) {
    return { alerts: [] };
  }

  const reading = await readLive({
    ...input,
    config,
    to: chooseFolder(to, config),
    baseUrl: input.baseUrl ?? config.releasesUrl,
  });
  const live = reading.kind === 'site' ? reading.site : undefined;
  const runs = findPublishedRuns(input, config, live);
  const earlier = readEarlierRuns(root, day);
  return { live, alerts: listUnpublishedAlerts(runs, day, config.staleAfterDays, earlier) };
}

/** The newest run that readers have, and the days of later runs that the workflow was to deploy before today. */
function findPublishedRuns(
  { root, day }: PublicationInput,
  config: SiteConfig,
  live: LiveSite | undefined,
): PublishedRuns {
  const { runs } = listRuns(root);
  const recordedAt = runs.findLast((run) => run.published)?.published;
  const liveAt = live?.run.published ?? recordedAt;

  // Each run publishes to the other hosts by itself.
  const isDeployed = findHost(config) === 'pages';
  // A site that was seen before, and cannot be read now, may be of a later run.
  const isUnknown = !live && recordedAt !== undefined;
  if (!isDeployed || isUnknown) {
    return { liveAt, missingDays: [] };
  }

  const deployed = runs.filter(
    ({ requested }) => requested[0] === 'daily' && !requested.includes('--skip-publish'),
  );
  const missing = deployed.filter(({ asOf, at }) => asOf < day && at > (liveAt ?? ''));
  return { liveAt, missingDays: missing.map(({ asOf }) => asOf) };
}

/** Publishes the built site, unless something else publishes it, or nothing does. Adds to the report of the day. */
export async function publishDay(input: PublicationInput, daily: OpenReport): Promise<void> {
  const { root, report, skipPublish, to } = input;
  const config = requireSiteConfig(root);
  if (!isPublisher(input, config)) {
    daily.publication = 'skipped';
    if (!skipPublish) {
      const message = 'not published: "hosting" of site/site.json names no folder, nor does --to';
      report.finding(warning('daily', message));
    }

    return;
  }

  // Added before the publication, which may throw.
  addAlerts(daily, listKeyAlerts(input));
  const publication = await publish({ ...input, isDryRun: false });
  reportPublication(input, daily, publication, chooseFolder(to, config));
}

/** Reports a publication to a folder or, without one, to an address. */
function reportPublication(
  { root, day, report }: PublicationInput,
  daily: OpenReport,
  publication: Publication,
  folder: string | undefined,
): void {
  const { kind, findings } = publication;
  saveStop(root, day, findings);
  report.finding(...findings.filter((finding) => !isError(finding)));
  report.print(...describePublication(publication));

  // Only a dry run is planned.
  daily.publication = kind === 'planned' ? 'skipped' : kind;
  const [error, ...otherErrors] = findings.filter(isError);
  const isUnreadable = error?.subject === 'live site' && otherErrors.length === 0;
  if (kind === 'failed' && folder === undefined && isUnreadable) {
    // As for an upstream, only an outage of some days raises an alert: the one of `readPublishedSite`.
    report.finding(warning(error.subject, error.message));
    return;
  }

  // The end of the run reports the errors with their alerts.
  addAlerts(daily, listPublicationAlerts(publication, day));
}

/** Alerts about access keys that end soon. */
function listKeyAlerts({ root, env, day }: PublicationInput): Alert[] {
  const access = readAccessConfig(root).value;
  const { findings } = readHostKeys(root, env, access, day);
  const ending = findings.filter(({ kind }) => kind === endingKey);
  return listFindingAlerts('key', ending, day);
}
