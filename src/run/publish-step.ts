import { folderOf, hostOf, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import { copySite, folderProblem } from '../deliver/publish/copy-site.ts';
import type { PublicationPlan, Publication } from '../deliver/publish/prepare-site.ts';
import { publishSite } from '../deliver/publish/publish-site.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { counted } from '../core/text/text.ts';
import { heldFindings, judgeChanges } from '../record/gate/gate.ts';
import { requireValue } from '../io/files/read-documents.ts';
import { build } from './build-step.ts';
import { printRecorded, record } from './record-step.ts';
import type { RunContext } from './run-context.ts';
import { inputError } from '../core/schemas/finding.ts';

interface PublishStepInput extends RunContext {
  /** The folder for the site, in place of the folder of the configuration. Absolute. */
  readonly to: string | undefined;
  readonly isDryRun: boolean;
  /** Whether the same run has just built the site. */
  readonly isJustBuilt: boolean;
  /** Whether a person intends to remove the protection of the live site. */
  readonly unprotect: boolean;
  /** The verb and the names of its options, without values. */
  readonly requested: readonly string[];
}

export async function publish(input: PublishStepInput): Promise<Publication> {
  const { root, out, day, env, signal, report, isDryRun, isJustBuilt, unprotect } = input;
  const config = requireValue(readSiteConfig(root));

  if (!isJustBuilt) {
    await settleChanges(input);
  }

  const to = folderToPublish(input.to, config);
  const isOurs = hostOf(config) === 'cloudflare';

  checkFolder(input.to, config);

  const site = {
    root,
    out,
    day,
    env,
    signal,
    baseUrl: input.baseUrl ?? config.releasesUrl,
    config,
    isDryRun,
    isJustBuilt,
    unprotect,
    onProgress: (text: string) => report.progress(text),
  };

  return isOurs ? publishSite(site) : copySite(site, to);
}

/** The folder for the site, at hosts that serve only files. `to`: in place of the folder of the configuration. */
export function folderToPublish(to: string | undefined, config: SiteConfig): string | undefined {
  return to ?? folderOf(config);
}

/** Whether the site is published nowhere, as long as nobody names a folder. */
export function isPublishedNowhere(to: string | undefined, config: SiteConfig): boolean {
  return hostOf(config) === 'files' && folderToPublish(to, config) === undefined;
}

/** Throws an InputError if the site cannot go into the folder of `--to`. */
export function checkFolder(to: string | undefined, config: SiteConfig): void {
  if (to === undefined) {
    return;
  }

  if (hostOf(config) === 'cloudflare') {
    const message =
      'needs "hosting": "files" in site/site.json: the site names questions that no folder answers';
    throw inputError('--to', message);
  }

  const problem = folderProblem(to);
  if (problem !== undefined) {
    throw inputError(to, problem);
  }
}

/** Builds the site again with what counts now. */
async function settleChanges(input: PublishStepInput): Promise<void> {
  const { report, isDryRun, requested } = input;
  const { verdicts, held } = judgeChanges(input);

  if (isDryRun) {
    report.finding(...heldFindings(held));
  }

  if (isDryRun || verdicts.length === 0) {
    return;
  }

  printRecorded(report, await record({ ...input, startedAt: new Date(), requested }));
  await build(input);
}

/** The report for a person, without the findings. */
export function describePublication(publication: Publication): string[] {
  if (publication.kind === 'failed') {
    return [];
  }

  if (publication.kind === 'refused') {
    return ['Nothing was sent.'];
  }

  const plan = describePlan(publication.plan);

  if (publication.kind !== 'published') {
    if (publication.kind === 'ready') {
      return [plan, 'Not sent: only the workflow deploys to GitHub Pages.'];
    }

    const why = publication.kind === 'planned' ? 'this was a dry run' : 'the live site is the same';

    return [plan, `Nothing was sent: ${why}.`];
  }

  const { versionId, sentFiles, verifiedFiles } = publication;
  const files = `${counted(sentFiles, 'file')} sent, ${verifiedFiles} read back and verified`;

  return [plan, `Published version ${versionId}: ${files} at ${publication.plan.baseUrl}`];
}

function describePlan({
  baseUrl,
  files,
  changed,
  gone,
  liveAsOf,
  protect,
  keys,
}: PublicationPlan): string {
  const ofKeys = keys === undefined ? '' : ` (${counted(keys, 'access key')})`;
  const whole = `${baseUrl}: ${counted(files, 'file')}${protect ? `; protects ${protect}${ofKeys}` : ''}`;

  if (liveAsOf === undefined) {
    return `${whole}; all of them new.`;
  }

  return `${whole}; compared with the live site (as of ${liveAsOf}): ${changed.length} changed, ${gone.length} gone.`;
}
