import { rejectUncommitted } from '../../io/files/repository-files.ts';
import { isNewWait, judgeEdits } from '../../record/gate/judge-edits.ts';
import { build } from '../../run/build-step.ts';
import { describePublication } from '../../run/describe-publication.ts';
import { listHeldFindings, toHeldChange } from '../../run/held-changes.ts';
import { publish } from '../../run/publish-step.ts';
import { printRecorded, record } from '../../run/record-step.ts';
import {
  describeRequest,
  flag,
  publicationOptions,
  shared,
  type Command,
  type Invocation,
} from '../command.ts';

const optionTable = {
  'dry-run': flag('send nothing; report what would be sent'),
  ...publicationOptions,
  unprotect: flag('make content public that now requires a credential'),
  ...shared('root', 'out', 'as-of', 'base-url'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'First, it records edits that no run has judged, and builds the site again with each component that waits as it was before',
    'its edit. Such edits must be committed. A dry run records nothing, and describes the site with the edits that would wait.',
    'Then it verifies that the site is complete, valid and built from this checkout, and that the journals have all events of',
    'the live site. Otherwise, or if the live site cannot be read, nothing is sent.',
    'Cloudflare switches to the new site in one step, and the site is read back through its public address. This needs',
    'CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID in the environment; a dry run needs neither.',
    'In a folder, files are replaced one at a time, and read back. To GitHub Pages, only the workflow deploys.',
    'If site/access.json protects everything, reading the live site needs an access key in RELEASE_INDEX_KEY; during a',
    'rotation, the old and the new key with a comma. If access keys are off, it holds a token.',
    'The host receives the access keys in RELEASE_INDEX_ACCESS_KEYS, or else the keys of .access/keys.json.',
    'Exits with 1 if a verification or the sending fails, or if an edit waits.',
  ],
  examples: [
    ['publish --dry-run', 'what would be sent'],
    [
      'publish --to /srv/releases',
      'into a folder that a server serves: each file before the files that name it',
    ],
  ],
  checksRepository: true,
  async run(invocation) {
    const { report, out, day, options } = invocation;
    const { root, hasWaiting } = await settleEdits(invocation);
    const publication = await publish({
      ...invocation,
      root,
      isDryRun: options['dry-run'] === true,
      comparesContent: true,
      unprotect: options.unprotect === true,
    });

    report.finding(...publication.findings);
    report.print(...describePublication(publication));

    const { kind: outcome, ...facts } = publication;
    report.document({ verb: 'publish', asOf: day, out, outcome, ...facts });
    return outcome === 'refused' || outcome === 'failed' || hasWaiting ? 1 : 0;
  },
};

/**
 * Reports the edits that wait. Unless in a dry run, records those that no run has judged, and builds the site again without those that
 * wait. Returns the root of the site.
 */
async function settleEdits(invocation: Invocation<Options>) {
  const { root, env, report, options } = invocation;
  const judged = judgeEdits(invocation);
  const hasNews = judged.edits.size > 0 || judged.waiting.some(({ id }) => isNewWait(judged, id));
  const hasWaiting = judged.waiting.length > 0;
  if (options['dry-run'] || !hasNews) {
    report.finding(...listHeldFindings(judged.waiting.map(toHeldChange)));
    return { root, hasWaiting };
  }

  rejectUncommitted(root, env);

  const recorded = await record({
    ...invocation,
    startedAt: new Date(),
    requested: describeRequest('publish', options),
    edits: judged,
  });
  report.finding(...listHeldFindings(recorded.held));
  printRecorded(report, recorded);
  await build({ ...invocation, root: recorded.root });
  return { root: recorded.root, hasWaiting };
}
