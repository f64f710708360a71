import { findFolder, findHost, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import { inputError } from '../core/schemas/finding.ts';
import { formatCount } from '../core/text/wording.ts';
import { copySite, findFolderProblem } from '../deliver/publish/copy-site.ts';
import type { Publication, PublicationPlan } from '../deliver/publish/prepare-site.ts';
import { publishSite } from '../deliver/publish/publish-site.ts';
import { rejectUncommitted } from '../io/files/repository-files.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import { isNewWait, judgeEdits } from '../record/gate/judge-edits.ts';
import { build } from './build-step.ts';
import { toHeldChange, listHeldFindings } from './held-changes.ts';
import { printRecorded, record } from './record-step.ts';
import type { RunContext } from './run-context.ts';

/** A run that may publish. */
export interface PublishingRun extends RunContext {
  /** The folder for the site, in place of the folder of the configuration. Absolute. */
  to: string | undefined;
}

interface PublishStepInput extends PublishingRun {
  isDryRun: boolean;
  /** Whether the same run has just built the site, as steps of a day have. True by default. */
  isJustBuilt?: boolean;
  /** Whether a person intends to remove the protection of the live site. False by default. */
  unprotect?: boolean;
}

/** Publishes the built site of the root, whose components are in their accepted form where an edit waits. */
export async function publish(input: PublishStepInput): Promise<Publication> {
  const config = requireSiteConfig(input.root);
  checkFolder(input, config);

  const site = {
    isJustBuilt: true,
    unprotect: false,
    ...input,
    baseUrl: input.baseUrl ?? config.releasesUrl,
    config,
    onProgress: (text: string) => input.report.progress(text),
  };

  return findHost(config) === 'cloudflare'
    ? publishSite(site)
    : copySite(site, chooseFolder(input.to, config));
}

/** The folder to publish to: of `--to`, else of the configuration. Undefined if neither names one, whatever the host. */
export function chooseFolder(to: string | undefined, config: SiteConfig): string | undefined {
  return to ?? findFolder(config);
}

/** Whether the site is published nowhere: the host serves only files, and no folder is named. */
export function isPublishedNowhere(to: string | undefined, config: SiteConfig): boolean {
  return findHost(config) === 'files' && chooseFolder(to, config) === undefined;
}

/** Throws an InputError if the site cannot go into the folder of `--to`. */
export function checkFolder(
  { to, out }: Pick<PublishStepInput, 'to' | 'out'>,
  config: SiteConfig,
): void {
  if (to === undefined) {
    return;
  }

  if (findHost(config) === 'cloudflare') {
    throw inputError(
      '--to',
      'needs another "hosting" in site/site.json than Cloudflare: the pages ask questions that no folder answers',
    );
  }

  const problem = findFolderProblem(to, out);
  if (problem !== undefined) {
    throw inputError(to, problem);
  }
}

interface SettleInput extends RunContext {
  isDryRun: boolean;
  /** The verb and the names of its options, without values. */
  requested: readonly string[];
}

/**
 * Records edits that no run has judged, and builds the site again without those that wait. A dry run records nothing. Reports the
 * edits that wait, also since an earlier run, and all changes that wait if it records. Returns the root to publish; that of a dry
 * run still has the edits that would wait.
 */
export async function settleEdits(input: SettleInput) {
  const { root, report, isDryRun, requested } = input;
  const judged = judgeEdits(input);
  const hasNews = judged.edits.size > 0 || judged.waiting.some(({ id }) => isNewWait(judged, id));
  const hasWaiting = judged.waiting.length > 0;
  if (isDryRun || !hasNews) {
    report.finding(...listHeldFindings(judged.waiting.map(toHeldChange)));
    return { root, hasWaiting };
  }

  rejectUncommitted(root, input.env);

  const recorded = await record({ ...input, startedAt: new Date(), requested, edits: judged });
  report.finding(...listHeldFindings(recorded.held));
  printRecorded(report, recorded);
  await build({ ...input, root: recorded.root });
  return { root: recorded.root, hasWaiting };
}

/** Why nothing was sent, although nothing prevented it. */
const notSent = {
  planned: 'Nothing was sent: this was a dry run.',
  unchanged: 'Nothing was sent: the live site is the same.',
  ready: 'Not sent: only the workflow deploys to GitHub Pages.',
};

/** The report for a person, without the findings. */
export function describePublication(publication: Publication): string[] {
  switch (publication.kind) {
    case 'failed':
      return [];
    case 'refused':
      return ['Nothing was sent.'];
    case 'published': {
      const { plan, versionId, verifiedFiles } = publication;
      const files = `${formatCount(verifiedFiles, 'file')} read back and verified`;
      const version = versionId === undefined ? '' : ` version ${versionId}`;
      return [describePlan(plan), `Published${version}: ${files} at ${plan.baseUrl}`];
    }
    default:
      return [describePlan(publication.plan), notSent[publication.kind]];
  }
}

function describePlan(plan: PublicationPlan): string {
  const { baseUrl, files, changed, gone, liveAsOf, protect, keys } = plan;
  const keyCount = keys === undefined ? '' : ` (${formatCount(keys, 'access key')})`;
  const protection = protect ? `; protects ${protect}${keyCount}` : '';
  const comparison =
    liveAsOf === undefined
      ? 'all of them new'
      : `compared with the live site (as of ${liveAsOf}): ${changed.length} changed, ${gone.length} gone`;
  return `${baseUrl}: ${formatCount(files, 'file')}${protection}; ${comparison}.`;
}
