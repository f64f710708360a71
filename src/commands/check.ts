import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadComponent } from '../site/load-component.ts';
import { checkDefinition } from '../check/definition-rules.ts';
import { checkRecorded } from '../check/recorded-rules.ts';
import { checkSite } from '../check/built-site.ts';
import { counted } from '../text.ts';
import { toDay } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import { readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import type { Invocation } from './command.ts';

export function check({ root, out, day, report }: Invocation): Promise<number> {
  const { names, findings } = listComponents(root);
  findings.push(...readSiteConfig(root).findings, ...strayData(root, names));
  // Of a past day too, what is recorded may be as young as today.
  const now = toDay(new Date());
  const today = day > now ? day : now;
  for (const name of names) {
    const loaded = loadComponent(root, name, day);
    findings.push(...loaded.findings);
    if (loaded.component) findings.push(...checkDefinition(loaded.component, names));
    findings.push(...checkRecorded(name, readRecorded(root, name).value ?? [], today));
  }
  if (existsSync(out)) findings.push(...siteFindings(out, root));
  for (const finding of findings) report.finding(finding);
  const errors = findings.filter((finding) => finding.level === 'error').length;
  const warnings = findings.filter((finding) => finding.level === 'warning').length;
  report.line(
    `check: ${counted(names.length, 'component')}, ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  );
  report.result({ verb: 'check', asOf: day, components: names.length, errors, warnings, findings });
  return Promise.resolve(errors > 0 ? 1 : 0);
}

/** The site as it is: that it was built from older definitions is no fault of it. */
function siteFindings(out: string, root: Root): Finding[] {
  const folder = relative(root.dir, out);
  return checkSite(out).map((finding) => ({ ...finding, subject: join(folder, finding.subject) }));
}

/** Recorded data without a definition is published nowhere; mostly a component that was renamed in one place only. */
function strayData(root: Root, names: readonly string[]): Finding[] {
  const known = new Set(names);
  return ['data', 'data/freshness'].flatMap((folder) => {
    const dir = join(root.dir, folder);
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith('.json') && !known.has(entry.name.slice(0, -5)),
      )
      .map((entry): Finding => {
        const file = `${folder}/${entry.name}`;
        return {
          level: 'error',
          subject: file,
          message: `there is no components/${entry.name}. Was the component renamed?`,
          file,
        };
      });
  });
}
