import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../model/finding.ts';
import { headersFor, unservedFiles } from '../render/headers.ts';

/** developers.cloudflare.com/workers/platform/limits, "Static Assets". */
const hostLimits = {
  files: { free: 20_000, paid: 100_000 },
  fileBytes: 25 * 1024 * 1024,
  headerRules: 100,
  headerLineLength: 2_000,
} as const;

export type HostPlan = keyof typeof hostLimits.files;

/** What the host would not take or not serve as it should, with what to do about it. */
export function checkHostLimits(out: string, paths: readonly string[], plan: HostPlan): Finding[] {
  const findings: Finding[] = [];
  const refuse = (subject: string, message: string) => findings.push(problem(subject, message));
  const served = paths.filter((path) => !unservedFiles.has(path));
  for (const path of served) {
    const { size } = statSync(join(out, path));
    if (size > hostLimits.fileBytes) {
      refuse(
        path,
        `has ${mib(size)} MiB; the host takes ${mib(hostLimits.fileBytes)} MiB a file. Split the index into two sites`,
      );
    }
    if (!headersFor(path)) {
      refuse(
        path,
        'is of no kind that the table in src/render/headers.ts knows: it would be served without a type',
      );
    }
  }
  const most = hostLimits.files[plan];
  if (served.length > most) {
    const remedy =
      plan === 'free'
        ? `The paid plan takes ${number(hostLimits.files.paid)}: set "hosting": {"plan": "paid"} in site/site.json once you have it`
        : 'Split the index into two sites';
    refuse(
      out,
      `has ${number(served.length)} files; the host takes ${number(most)} on the ${plan} plan. ${remedy}`,
    );
  }
  return [...findings, ...checkHeaderRules(readFileSync(join(out, '_headers'), 'utf8'))];
}

/** The host leaves out what is too much, with a warning that nobody reads. */
export function checkHeaderRules(text: string): Finding[] {
  const lines = text.split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith(' ')).length;
  const findings: Finding[] = [];
  const refuse = (message: string) => findings.push(problem('_headers', message));
  if (rules > hostLimits.headerRules) {
    refuse(
      `has ${rules} rules; the host reads ${hostLimits.headerRules}. Merge rules in src/render/headers.ts`,
    );
  }
  for (const [index, line] of lines.entries()) {
    if (line.length <= hostLimits.headerLineLength) continue;
    refuse(
      `line ${index + 1} has ${line.length} characters; the host reads ${number(hostLimits.headerLineLength)}. Shorten the header`,
    );
  }
  return findings;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
