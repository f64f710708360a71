import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { inputError, UnavailableError } from '../../core/errors.ts';
import { readList, type Item } from '../../core/read-list.ts';
import type { Policy, Verdict } from '../../core/schema/documents.ts';
import { type PublishedIndex, readNames } from '../../serve/index.ts';
import { findPolicy, judgeItem, scanItem, type PolicyScan } from '../../serve/scan.ts';
import { indexOption, openPublished, type Context } from '../context.ts';

interface Options {
  policy: string[];
  index?: string;
}

export function define(command: Command, context: Context): void {
  command
    .argument(
      '<file>',
      'lines of versions, package URLs or images, or a bill of materials as JSON; - is standard input',
    )
    .option('--policy <name...>', 'policies that each entry must satisfy', ['supported', 'secure'])
    .addOption(indexOption)
    .addHelpText(
      'after',
      '\nExit status 1: an entry does not satisfy a policy. 3: it could not be judged, or the index is too old.',
    )
    .action((file: string, options: Options) => scan(file, options, context));
}

interface Scanned {
  readonly item: Item;
  /** Undefined for what is not in the index. */
  readonly component: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly scans: readonly PolicyScan[];
}

async function scan(file: string, { policy: names, index: url }: Options, context: Context) {
  const { report } = context;
  const index = openPublished(context, url);
  const { asOf } = await index.status();
  const policies = await Promise.all(names.map((name) => findPolicy(index, name)));
  const { items, problems } = readList(await read(file), await readNames(index), Infinity);
  for (const message of problems) {
    report.problem({ subject: file, message: `${message}: not read`, level: 'warning' });
  }

  const scanned = await Promise.all(items.map((item) => scanOne(index, item, policies)));
  const known = scanned.filter(({ component }) => component !== undefined).sort(compareDue);
  const unsatisfied = known.filter((each) => has(each, 'unsatisfied')).length;
  const unknown = known.filter((each) => !has(each, 'unsatisfied') && has(each, 'not-applicable'));
  report.print(
    {
      headings: ['thing', 'verdict', 'until', 'move to'],
      rows: known.map((each) => [
        each.item.text,
        each.verdict?.label ?? 'No version',
        each.verdict?.supportedUntil ?? each.verdict?.supportedUntilAtMost ?? '',
        describeTarget(each),
      ]),
    },
    `On ${asOf}, of ${known.length} known: ${unsatisfied} not ${names.join(' and ')}, ${unknown.length} cannot be judged. ${scanned.length - known.length} not in this index, ${problems.length} not read.`,
  );
  report.document({ verb: 'scan', asOf, results: scanned.flatMap(({ scans }) => scans) });

  context.status = unsatisfied > 0 ? 1 : 0;
  const staleness = await index.staleness();
  if (staleness !== undefined) {
    throw new UnavailableError([{ subject: 'index', message: staleness }]);
  }
}

async function scanOne(
  index: PublishedIndex,
  item: Item,
  policies: readonly Policy[],
): Promise<Scanned> {
  const judged = await judgeItem(index, item);
  const scans = await Promise.all(policies.map((policy) => scanItem(index, item, policy)));
  return { item, component: judged?.details.component, verdict: judged?.verdict, scans };
}

function has({ scans }: Scanned, status: PolicyScan['status']): boolean {
  return scans.some((scan) => scan.status === status);
}

/** What does not satisfy a policy, then what is due first. */
function compareDue(a: Scanned, b: Scanned): number {
  return (
    Number(has(b, 'unsatisfied')) - Number(has(a, 'unsatisfied')) ||
    (a.verdict?.moveBy ?? '9').localeCompare(b.verdict?.moveBy ?? '9')
  );
}

function describeTarget({ component, verdict }: Scanned): string {
  const { moveTo } = verdict ?? {};
  if (moveTo === undefined) {
    return '';
  }

  return moveTo.component === component ? moveTo.version : `${moveTo.component} ${moveTo.version}`;
}

async function read(file: string): Promise<string> {
  if (file === '-') {
    return text(process.stdin);
  }

  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw inputError(file, (error as Error).message);
  }
}
