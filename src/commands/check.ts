import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { loadComponent } from '../site/load-component.ts';
import { checkDefinition } from '../check/component-rules.ts';
import { checkRecordedDays } from '../check/recorded-days.ts';
import { checkSite } from '../check/built-site.ts';
import { counted } from '../text.ts';
import { toDay } from '../dates.ts';
import { problem, type Finding } from '../model/finding.ts';
import { readRecorded, readSiteConfig } from '../store/read.ts';
import { listComponents, type Root } from '../store/root.ts';
import type { Invocation } from './command.ts';

export function check({ root, out, day, report }: Invocation): Promise<number> {
  const { names, findings } = listComponents(root);
  findings.push(...readSiteConfig(root).findings, ...strayData(root, names));
  // With --as-of in the past, too, recorded days may be as late as today.
  const now = toDay(new Date());
  const today = day > now ? day : now;
  for (const name of names) {
    const loaded = loadComponent(root, name, day);
    findings.push(...loaded.findings);
    if (loaded.component) findings.push(...checkDefinition(loaded.component));
    findings.push(...checkRecordedDays(name, readRecorded(root, name).value ?? [], today));
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
  return checkSettled(out).map((finding) => ({ ...finding, subject: join(folder, finding.subject) }));
}

/** A build that ends meanwhile puts another folder in the place of this one: half of each was read, and it is read again. */
function checkSettled(out: string): Finding[] {
  const identity = () => {
    const found = statSync(out, { throwIfNoEntry: false });
    return found && `${found.ino} ${found.birthtimeMs}`;
  };
  for (let left = 5; ; left -= 1) {
    const before = identity();
    try {
      const findings = checkSite(out);
      if (findings.length === 0 || identity() === before || left === 0) return findings;
    } catch (error) {
      if (identity() === before || left === 0) throw error;
    }
  }
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
