import { findFolder, findHost, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import { inputError } from '../core/schemas/finding.ts';
import { copySite, findFolderProblem } from '../deliver/publish/copy-site.ts';
import type { Publication, PublishInput } from '../deliver/publish/publication.ts';
import { publishSite } from '../deliver/publish/publish-site.ts';
import { requireSiteConfig } from '../io/files/settings-files.ts';
import type { RunContext } from './run-context.ts';

/** A run that may publish. */
export interface PublishingRun extends RunContext {
  /** The folder for the site, in place of the folder of the configuration. Absolute. */
  to: string | undefined;
}

type PublishStepInput = PublishingRun &
  Pick<PublishInput, 'isDryRun' | 'comparesContent' | 'unprotect'>;

/** Publishes the built site of the root, whose components are in their accepted form where an edit waits. */
export async function publish(input: PublishStepInput): Promise<Publication> {
  const config = requireSiteConfig(input.root);
  checkFolder(input, config);

  const site = {
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
