import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { UnavailableError } from '../../core/errors.ts';
import { compareUrgency, type Match } from '../../core/index/verdicts.ts';
import { describeRead, readList } from '../../core/read-list.ts';
import { describeUntil } from '../../core/words.ts';
import { findPolicy } from '../../serve/published-index.ts';
import { scanItems, type PolicyScan, type Scanned } from '../../serve/scan.ts';
import { openPublished, type Context } from '../context.ts';

export function define(command: Command, context: Context): void {
  command
    .argument(
      '<file>',
      'lines of versions, package URLs or images, or a bill of materials as JSON; - is standard input',
    )
    .option('--policy <name...>', 'policies that each entry must satisfy', ['supported', 'secure'])
    .action((file: string, { policy }: { policy: string[] }) => scan(file, policy, context));
}

async function scan(file: string, names: string[], context: Context) {
  const { report, signal } = context;
  const index = await openPublished(context);
  const { asOf, staleness } = await index.age();
  const policies = await Array.fromAsync(names, (name) => findPolicy(index, name));
  // No other verb reads standard input: the context does not have it.
  const typed =
    file === '-' ? await text(addAbortSignal(signal, process.stdin)) : readFileSync(file, 'utf8');
  const list = readList(typed, await index.names(), Infinity);
  for (const message of list.problems) {
    report.problem({ subject: file, message: `${message}: not read`, level: 'warning' });
  }
  if (list.items.length === 0) {
    const message = `nothing was judged. ${describeRead(list, [])}`;
    throw new UnavailableError([{ subject: file, message }]);
  }

  const scanned = await scanItems(index, list.items, policies);
  const matched = scanned
    .flatMap((each) => (each.match ? { ...each, match: each.match } : []))
    .sort((a, b) => compareUrgency(a.match, b.match));
  const others = scanned.filter(({ match }) => !match).map(({ item }) => item.text);
  const failing = matched.filter((each) => has(each, 'unsatisfied'));
  const unjudged = matched.filter((each) => has(each, 'not-applicable') && !failing.includes(each));
  report.print(
    { headings: ['thing', 'verdict', 'until', 'move to'], rows: matched.map(listCells) },
    `On ${asOf}, ${failing.length} fail, ${unjudged.length} cannot be judged. ${describeRead(list, others)}`,
  );
  report.document({ asOf, results: scanned.flatMap(({ scans }) => scans) });

  context.status = failing.length > 0 ? 1 : 0;
  if (staleness !== undefined) {
    throw new UnavailableError([{ subject: 'index', message: staleness }]);
  }
}

function has({ scans }: Scanned, status: PolicyScan['status']): boolean {
  return scans.some((scan) => scan.status === status);
}

function listCells({ item, match }: Scanned & { match: Match }): string[] {
  const { component, verdict } = match;
  if (!verdict) {
    return [item.text, 'No version', '', ''];
  }

  const { label, moveTo } = verdict;
  const ofAnother = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  return [item.text, label, describeUntil(verdict), `${ofAnother}${moveTo?.version ?? ''}`];
}
