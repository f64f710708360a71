import { resolve } from 'node:path';
import { folderOf, hostOf, type SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { copySite, folderProblem } from '../../deliver/publish/copy-site.ts';
import type { Plan, Publication, PublishInput } from '../../deliver/publish/prepare-site.ts';
import { saveRefusals } from '../../deliver/publish/refusals.ts';
import { publishSite } from '../../deliver/publish/publish-site.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { counted } from '../../core/text/text.ts';
import { isEdit } from '../../decide/component-freshness.ts';
import { heldFindings, judgeChanges } from '../../record/gate/gate.ts';
import { readDecisions, readHeld } from '../../io/files/held-file.ts';
import { valueOf, requireValue } from '../../io/files/read-documents.ts';
import type { Root } from '../../io/files/root.ts';
import { runBuild } from './build.ts';
import { printRecorded, runRecord } from './record.ts';
import { flag, shared, text, type Command, type Invocation } from '../command.ts';
import { inputError } from '../../core/schemas/finding.ts';

/** An option for hosts that serve only files. */
export const toFolder = text(
  'DIR',
  'copy the site into a folder that a server serves (default: the folder in "hosting")',
);

const optionTable = {
  'dry-run': flag('send nothing; report what would be sent'),
  to: toFolder,
  unprotect: flag('make content public that now requires a credential'),
  ...shared('root', 'out', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'First verifies that the site is complete, valid and built from this checkout, and that nothing live would vanish.',
    'Shows the changes for readers, as "compare" does. Sends nothing if the live site has more, is newer or cannot be read: each',
    'refusal has an id for "accept". Held changes are not published.',
    'Switches to the new site in one step, and reads it back through its public address.',
    'Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment; a dry run needs neither.',
    'If site/access.json protects everything, comparing and reading back need an access key in RELEASE_INDEX_KEY; during a',
    'rotation, the old and the new key with a comma. Where access keys are off, it holds a token.',
    'The host receives the access keys in RELEASE_INDEX_ACCESS_KEYS, or else the keys of .access/keys.json.',
  ],
  examples: [
    ['publish --dry-run', 'what would be sent'],
    ['publish --to /srv/releases', 'to a server of files: each file before the files that name it'],
  ],
  run,
};

async function run(invocation: Invocation<Options>): Promise<number> {
  const { report, out, options } = invocation;
  const isDryRun = options['dry-run'] === true;
  const publication = await runPublish(invocation, { isDryRun, isJustBuilt: false });

  report.finding(...publication.findings);
  report.print(...describePublication(publication));

  const { kind: outcome, ...rest } = publication;

  report.document({ verb: 'publish', out, outcome, ...rest });

  const held = isDryRun ? judgeChanges(invocation).held : readHeld(invocation.root).value?.held;
  const isWaiting = held?.some(({ causes }) => causes.some(isEdit)) === true;

  return outcome === 'refused' || outcome === 'failed' || isWaiting ? 1 : 0;
}

export async function runPublish(
  invocation: Invocation<Options>,
  mode: Pick<PublishInput, 'isDryRun' | 'isJustBuilt'>,
): Promise<Publication> {
  const { root, options, report } = invocation;
  const config = requireValue(readSiteConfig(root));

  if (!mode.isJustBuilt) {
    await settleChanges(invocation, mode.isDryRun);
  }

  const to = folderToPublish(invocation, config);
  const isOurs = hostOf(config) === 'cloudflare';

  checkFolder(invocation, config);

  const input = {
    ...invocation,
    baseUrl: invocation.baseUrl ?? config.releasesUrl,
    config,
    isDecided: (id: string) => isAccepted(root, id),
    ...mode,
    unprotect: options.unprotect === true,
    onProgress: (text: string) => report.progress(text),
  };

  const publication = await (isOurs ? publishSite(input) : copySite(input, to));

  saveRefusals(root, publication.findings);

  return publication;
}

/** Whether a person accepted a refused publication. */
function isAccepted(root: Root, id: string): boolean {
  return valueOf(readDecisions(root)).values.some((decision) => decision.id === id);
}

/** The folder for the site, at hosts that serve only files. */
export function folderToPublish(
  { options }: Invocation<{ to: typeof toFolder }>,
  config: SiteConfig,
): string | undefined {
  return options.to !== undefined ? resolve(options.to) : folderOf(config);
}

/** Throws an InputError if the site cannot go into the folder of `--to`. */
export function checkFolder(
  { options }: Invocation<{ to: typeof toFolder }>,
  config: SiteConfig,
): void {
  if (options.to === undefined) {
    return;
  }

  if (hostOf(config) === 'cloudflare') {
    const message =
      'needs "hosting": "files" in site/site.json: the site names questions that no folder answers';
    throw inputError('--to', message);
  }

  const folder = resolve(options.to);
  const problem = folderProblem(folder);
  if (problem !== undefined) {
    throw inputError(folder, problem);
  }
}

/** Builds the site again with what counts now. */
async function settleChanges(invocation: Invocation<Options>, isDryRun: boolean): Promise<void> {
  const { verdicts, held } = judgeChanges(invocation);

  if (isDryRun) {
    invocation.report.finding(...heldFindings(held));
  }

  if (isDryRun || verdicts.length === 0) {
    return;
  }

  printRecorded(invocation, await runRecord(invocation, new Date(), 'publish'));
  runBuild(invocation);
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

function describePlan({ baseUrl, files, changed, gone, liveAsOf, protect, keys }: Plan): string {
  const ofKeys = keys === undefined ? '' : ` (${counted(keys, 'access key')})`;
  const whole = `${baseUrl}: ${counted(files, 'file')}${protect ? `; protects ${protect}${ofKeys}` : ''}`;

  if (liveAsOf === undefined) {
    return `${whole}; all of them new.`;
  }

  return `${whole}; compared with the live site (as of ${liveAsOf}): ${changed.length} changed, ${gone.length} gone.`;
}
