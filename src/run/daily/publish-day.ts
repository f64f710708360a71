import {
  findFolder,
  findHost,
  type SiteConfig,
} from '../../core/schemas/definition/site-config.ts';
import { isError, warning } from '../../core/schemas/finding.ts';
import { readHostKeys } from '../../deliver/publish/host-keys.ts';
import { readPublishedState, type LiveState } from '../../deliver/publish/live.ts';
import { findLostEvents, lostEvents } from '../../deliver/publish/lost-events.ts';
import type { Publication } from '../../deliver/publish/prepare-site.ts';
import { listRuns } from '../../io/files/run-files.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
import { readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { saveStop } from '../held-changes.ts';
import {
  describePublication,
  isPublishedNowhere,
  publish,
  type PublishStepInput,
} from '../publish-step.ts';
import { listFindingAlerts, listPublicationAlerts, readAlertLimits, type Alert } from './alerts.ts';
import type { ReportPart } from './daily-report.ts';
import { listUnpublishedAlerts, type PublishedRuns } from './silence-alerts.ts';

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

/** The alerts about runs that readers lack, and whether the journal has all events of the live site. */
export function checkLiveSite(
  input: PublicationInput,
  liveState: LiveState | undefined,
  used: readonly string[],
): { alerts: readonly Alert[]; isComplete: boolean } {
  const { root, day } = input;
  const publishedRuns = findPublishedRuns(input, liveState);
  const alerts = listUnpublishedAlerts(publishedRuns, day, readAlertLimits(root, day));
  const lost = findLostEvents(root, liveState?.events ?? [], used);
  if (!lost) {
    return { alerts, isComplete: true };
  }

  saveStop(root, 'publication', day, lost);
  return { alerts: [...alerts, ...listFindingAlerts('publish', [lost], day)], isComplete: false };
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

/** Publishes the built site, unless something else publishes it, or nothing does. */
export async function publishDay(input: PublicationInput): Promise<ReportPart> {
  const { root, day, report, to } = input;
  const config = unwrapResult(readSiteConfig(root));
  if (isSkipped(input, config)) {
    return { publication: { outcome: 'skipped', lines: [] }, alerts: [] };
  }

  const alerts = listKeyAlerts(input);
  const publication = await publish({
    ...input,
    isDryRun: false,
    isJustBuilt: true,
    unprotect: false,
  });
  const { kind, findings } = publication;
  const lines = describePublication(publication);
  report.finding(...findings.filter((finding) => !isError(finding)));
  report.print(...lines);

  const lost = findings.find((finding) => finding.kind === lostEvents);
  if (lost) {
    saveStop(root, 'publication', day, lost);
  }

  const outcome = kind === 'planned' ? 'skipped' : kind;
  if (isSiteOutage(publication, to ?? findFolder(config))) {
    report.finding(
      ...findings.filter(isError).map(({ subject, message }) => warning(subject, message)),
    );
    return { publication: { outcome, lines }, alerts };
  }

  return {
    publication: { outcome, lines },
    alerts: [...alerts, ...listPublicationAlerts(publication, day)],
  };
}

/** Whether nothing has to be published here. Warns where the site is published nowhere. */
function isSkipped({ report, skipPublish, to }: PublicationInput, config: SiteConfig): boolean {
  const isNowhere = isPublishedNowhere(to, config);
  if (isNowhere) {
    const message = 'not published: "hosting" of site/site.json names no folder, nor does --to';
    report.finding(warning('daily', message));
  }

  return skipPublish || isNowhere;
}

/** Alerts about access keys that end soon. */
function listKeyAlerts({ root, env, day }: PublicationInput): Alert[] {
  const access = readAccessConfig(root).value;
  const { ending = [] } = access ? readHostKeys(root, env, access, day) : {};
  return listFindingAlerts('key', ending, day);
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
