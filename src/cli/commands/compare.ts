import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import {
  compareIndexes,
  describeDifference,
  PublishedComponent,
  type PublishedIndex,
} from '../../deliver/publish/diff.ts';
import { renderReleaseFile } from '../../site/render/component-json.ts';
import { loadComponent } from '../../site/load-component.ts';
import { listComponents, openRoot, type Root } from '../../io/files/root.ts';
import { refuseErrors, UsageError, type Invocation } from './command.ts';
import { writeTableSummary } from './job-summary.ts';

/** How the index of this root differs from that of another, on the same day. */
export async function compare(invocation: Invocation): Promise<number> {
  const { root, checkout, day, env, report } = invocation;
  const dir = resolve(invocation.arguments[0]!);
  if (!existsSync(dir)) throw new UsageError(`there is no folder ${dir}`);
  if (!existsSync(join(dir, 'components')))
    throw new UsageError(`${dir} is not the checkout of an index: it has no folder components/`);
  const after = readIndex(root, day);
  refuseErrors(after.findings);
  const before = readIndex(openRoot(dir, checkout), day);
  const differences = compareIndexes(before.index, after.index);
  const rows = differences.flatMap((difference) =>
    describeDifference(difference).map((text) => [difference.component, text]),
  );
  const nothing = 'The index says the same as before.';
  if (rows.length === 0) report.line(nothing);
  for (const row of rows) report.line(row.join(': '));
  if (env['GITHUB_STEP_SUMMARY'])
    await writeTableSummary('What this changes in the index', ['component', 'change'], rows, nothing);
  report.result({ verb: 'compare', asOf: day, before: dir, differences });
  return 0;
}

/** A component that cannot be read is left out of the index; the findings say why. */
function readIndex(root: Root, day: Day): { index: PublishedIndex; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const index = new Map<string, PublishedComponent>();
  for (const name of names) {
    const { component, findings: found } = loadComponent(root, name, day);
    findings.push(...found);
    if (!component) continue;
    const document: unknown = JSON.parse(renderReleaseFile(component));
    index.set(name, PublishedComponent.parse(document));
  }
  return { index, findings };
}
