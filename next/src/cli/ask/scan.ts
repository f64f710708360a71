import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { countDays } from '../../core/day.ts';
import { UnavailableError, inputError } from '../../core/errors.ts';
import { readList, type Item } from '../../core/read-list.ts';
import { formatCount } from '../../core/text.ts';
import { readNames } from '../../serve/names.ts';
import { judgeVersion } from '../../serve/releases.ts';
import { findItem, findPolicy, scanItem } from '../../serve/scan.ts';
import { indexOption, openPublished, type Context } from '../context.ts';

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
      '\nExit status 1: an entry does not satisfy a policy. 3: it could not be judged.',
    )
    .action(
      async (file: string, { policy: names, index: url }: { policy: string[]; index?: string }) => {
        const { report, day } = context;
        const index = openPublished(context, url);
        const { asOf, staleAfterDays } = await index.status();
        const policies = await Promise.all(names.map((name) => findPolicy(index, name)));
        const { items, problems } = readList(await read(file), [
          ...(await readNames(index)).keys(),
        ]);
        report.problem(
          ...problems.map((message) => ({
            subject: file,
            message: `${message}: not read`,
            level: 'warning' as const,
          })),
        );

        const results = await Promise.all(
          items.map(async (item) => ({
            item,
            ...(await describe(index, item)),
            scans: await Promise.all(policies.map((policy) => scanItem(index, item, policy))),
          })),
        );
        const known = results.filter(({ component }) => component !== undefined);
        // What is due first stands on top.
        known.sort(
          (a, b) => order(a) - order(b) || (a.moveBy ?? '9').localeCompare(b.moveBy ?? '9'),
        );
        const wrong = known.filter(isWrong);
        report.print({
          headings: ['thing', 'state', 'until', 'move to'],
          rows: known.map(({ item, label, until, target }) => [item.text, label, until, target]),
        });
        report.print(
          `${formatCount(known.length, 'entry').replace('entrys', 'entries')} on ${asOf}: ${wrong.length} not ${names.join(' and ')}; ${results.length - known.length} not in this index.`,
        );
        report.document({ verb: 'scan', asOf, results: results.flatMap(({ scans }) => scans) });
        context.status = wrong.length > 0 ? 1 : 0;
        if (countDays(asOf, day) > staleAfterDays) {
          throw new UnavailableError([
            { subject: 'index', message: `was last updated on ${asOf}` },
          ]);
        }
      },
    );
}

type Index = ReturnType<typeof openPublished>;

async function describe(index: Index, item: Item) {
  const match = await findItem(index, item);
  if (!match || item.version === undefined) {
    return { component: undefined, label: '', until: '', target: '', moveBy: undefined };
  }

  const { component } = match.details;
  const { label, supportedUntil, supportedUntilAtMost, moveTo, moveBy } = judgeVersion(
    match.details,
    match.release?.version ?? item.version,
  );
  const target = moveTo
    ? moveTo.component === component
      ? moveTo.version
      : `${moveTo.component} ${moveTo.version}`
    : '';
  return { component, label, until: supportedUntil ?? supportedUntilAtMost ?? '', target, moveBy };
}

interface Result {
  scans: readonly { status: string }[];
}

function isWrong({ scans }: Result): boolean {
  return scans.some(({ status }) => status === 'unsatisfied');
}

function order(result: Result): number {
  return isWrong(result) ? 0 : 1;
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
