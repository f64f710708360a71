import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadComponent } from '../site/load-component.ts';
import { compareIndexes } from '../publish/diff.ts';
import { describeDifference } from '../publish/describe-diff.ts';
import type { PublishedComponent, PublishedIndex } from '../publish/published-index.ts';
import { UsageError } from './command.ts';
import type { Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import { renderReleaseFile } from '../render/release-json.ts';
import { listComponents, openRoot, type Root } from '../store/root.ts';
import { refuseErrors, type Invocation } from './command.ts';

/** What the index of this root says other than that of another, on the same day. */
export async function compare(invocation: Invocation): Promise<number> {
  const { root, checkout, day, env, report } = invocation;
  const dir = resolve(invocation.arguments[0]!);
  if (!existsSync(dir)) throw new UsageError(`there is no folder ${dir}`);
  if (!existsSync(join(dir, 'components')))
    throw new UsageError(`${dir} is no checkout of an index: it has no folder components/`);
  const after = readIndex(root, day);
  refuseErrors(after.findings);
  const before = readIndex(openRoot(dir, checkout), day);
  const differences = compareIndexes(before.index, after.index);
  const rows = differences.flatMap((difference) =>
    describeDifference(difference).map((text) => [difference.component, text]),
  );
  const nothing = 'The index says the same as before.';
  if (rows.length === 0) report.line(nothing);
  for (const [component, text] of rows) report.line(`${component}: ${text}`);
  if (env['GITHUB_STEP_SUMMARY']) {
    const { writeTableSummary } = await import('./job-summary.ts');
    await writeTableSummary(
      'What this changes in the index',
      ['component', 'change'],
      rows as [string, string][],
      nothing,
    );
  }
  report.result({ verb: 'compare', asOf: day, before: dir, differences });
  return 0;
}

/** A component that cannot be read is left out of the index; the findings say why. */
function readIndex(root: Root, day: Day): { index: PublishedIndex; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const components: PublishedIndex['components'] = {};
  for (const name of names) {
    const loaded = loadComponent(root, name, day);
    findings.push(...loaded.findings);
    if (loaded.component)
      components[name] = JSON.parse(renderReleaseFile(loaded.component)) as PublishedComponent;
  }
  return { index: { components }, findings };
}
