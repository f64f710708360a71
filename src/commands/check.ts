import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { checkTheme } from '../site/theme.ts';
import { loadComponent } from '../site/load-component.ts';
import { checkDefinition, checkRecorded } from '../check/component-rules.ts';
import { checkSite } from '../check/built-site.ts';
import { counted } from '../text.ts';
import { toDay } from '../dates.ts';
import { problem, type Finding } from '../model/finding.ts';
import { readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import type { Invocation } from './command.ts';

export function check({ root, out, day, report }: Invocation): Promise<number> {
  const { names, findings } = listComponents(root);
  const config = readSiteConfig(root);
  findings.push(...config.findings, ...(config.value ? checkTheme(root, config.value) : []));
  findings.push(...strayData(root, names));
  // With --as-of in the past, too, recorded days may be as late as today.
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
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  report.line(
    `check: ${counted(names.length, 'component')}, ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  );
  report.result({ verb: 'check', asOf: day, components: names.length, errors, warnings, findings });
  return Promise.resolve(errors > 0 ? 1 : 0);
}

/** A site that was built from older definitions is no problem here. */
function siteFindings(out: string, root: Root): Finding[] {
  const folder = relative(root.dir, out);
  return checkSite(out).map((finding) => ({ ...finding, subject: join(folder, finding.subject) }));
}

/** Recorded data without a definition is not published. Mostly, a component was renamed in one place only. */
function strayData(root: Root, names: readonly string[]): Finding[] {
  const known = new Set(names);
  return ['data', 'data/freshness'].flatMap((folder) => {
    const dir = join(root.dir, folder);
    if (!existsSync(dir)) return [];
    const stray = readdirSync(dir).filter(
      (name) => name.endsWith('.json') && !known.has(basename(name, '.json')),
    );
    return stray.map((name) => {
      const file = `${folder}/${name}`;
      return { ...problem(file, `there is no components/${name}. Was the component renamed?`), file };
    });
  });
}
