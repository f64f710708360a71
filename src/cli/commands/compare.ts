import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findForeignChanges } from '../../deliver/check/foreign-changes.ts';
import { describeNewDecisions } from '../../deliver/check/new-decisions.ts';
import { changesOf } from '../../deliver/check/index-changes.ts';
import { isError, throwErrors } from '../../core/schemas/finding.ts';
import { openRoot } from '../../io/files/root.ts';
import { loadComponents } from '../../site/load-component.ts';
import { shared, UsageError, type Command, type Invocation } from '../command.ts';

const optionTable = shared('root', 'as-of');
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { required: ['folder'] },
  options: optionTable,
  details: [
    'Evaluates both for the same day. In a workflow, the summary of the job also shows the result. Changes nothing.',
    'Names every state and end of support that would change, with its days before and after. Exits with 1 at any change to files',
    'that only runs write (runs, journal, freshness, statements and held.json in data/). The folder must be a checkout of the',
    'commit that this index will be merged into, so that a person made every difference.',
  ],
  examples: [['compare ../base', 'against another checkout']],
  run,
};

function run(invocation: Invocation<Options>): number {
  const { root, checkout, day, report, env } = invocation;
  const dir = resolve(...invocation.arguments);
  if (!existsSync(dir)) {
    throw new UsageError(`there is no folder ${dir}`);
  }

  if (!existsSync(join(dir, 'components'))) {
    throw new UsageError(`${dir} is not the checkout of an index: it has no folder components/`);
  }

  const { components: after, findings } = loadComponents(root, day);

  throwErrors(findings);

  const base = openRoot(dir, checkout);
  const { components: before } = loadComponents(base, day);
  const names = new Set([...before, ...after].map(({ name }) => name));

  const changes = [...names].sort().flatMap((component) => {
    const [was, now] = [before, after].map((index) => index.find(({ name }) => name === component));
    return changesOf(was, now, day).map((text) => ({ component, text }));
  });

  const decided = describeNewDecisions(base, root, env);
  const problems = [...findForeignChanges(base, root), ...decided.findings];

  report.finding(...problems);
  report.print(...decided.texts);

  if (changes.length === 0 && decided.texts.length === 0) {
    report.print('The index says the same as before.');
  }

  report.print(...changes.map(({ component, text }) => `${component}: ${text}`));

  report.document({
    verb: 'compare',
    asOf: day,
    before: dir,
    decisions: decided.texts,
    changes,
    findings: problems,
  });

  return problems.some(isError) ? 1 : 0;
}
