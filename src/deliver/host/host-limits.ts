import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { headersFor, unservedFiles } from '../../site/render/headers.ts';
import { counted } from '../../core/text.ts';

/** developers.cloudflare.com/workers/platform/limits, "Static Assets". */
const hostLimits = {
  files: { free: 20_000, paid: 100_000 },
  fileMib: 25,
  headerRules: 100,
  headerLineLength: 2_000,
} as const;

/** Of one file. */
export const mostFileBytes = hostLimits.fileMib * 1024 * 1024;

export type HostPlan = keyof typeof hostLimits.files;

/** What the host would not take or not serve as it should, with what to do about it. */
export function checkHostLimits(out: string, paths: readonly string[], plan: HostPlan): Finding[] {
  const findings: Finding[] = [];
  const refuse = (subject: string, message: string) => findings.push(problem(subject, message));
  const served = paths.filter((path) => !unservedFiles.has(path));
  for (const path of served) {
    // What signing is to add is small.
    const mib = (statSync(join(out, path), { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024;
    if (mib > hostLimits.fileMib) {
      const size = mib.toFixed(1).replace(/\.0$/, '');
      refuse(
        path,
        `has ${size} MiB; the host takes ${hostLimits.fileMib} MiB a file. Split the index into two sites`,
      );
    }
    if (!headersFor(path)) {
      refuse(path, 'is of a kind missing in src/render/headers.ts: it would be served without a type');
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
      `has ${counted(served.length, 'file')}; the host takes ${number(most)} on the ${plan} plan. ${remedy}`,
    );
  }
  return [...findings, ...checkHeaderRules(readFileSync(join(out, '_headers'), 'utf8'))];
}

/** The host silently drops what exceeds these limits. */
export function checkHeaderRules(text: string): Finding[] {
  const lines = text.split('\n');
  const rules = lines.filter((line) => line !== '' && !line.startsWith(' ')).length;
  const { headerRules, headerLineLength } = hostLimits;
  const messages = lines.flatMap(({ length }, index) =>
    length <= headerLineLength
      ? []
      : `line ${index + 1} has ${length} characters; the host reads ${number(headerLineLength)}. Shorten the header`,
  );
  if (rules > headerRules)
    messages.unshift(
      `has ${rules} rules; the host reads ${headerRules}. Merge rules in src/render/headers.ts`,
    );
  return messages.map((message) => problem('_headers', message));
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
