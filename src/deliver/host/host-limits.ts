import { statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { headersFor, unservedFiles } from '../../site/render/headers.ts';
import { counted } from '../../core/text.ts';

/** developers.cloudflare.com/workers/platform/limits, "Static Assets". */
const hostLimits = {
  files: { free: 20_000, paid: 100_000 },
  fileMib: 25,
} as const;

/** Of one file. */
export const mostFileBytes = hostLimits.fileMib * 1024 * 1024;

type HostPlan = keyof typeof hostLimits.files;

/** The files that the host rejects or serves wrongly, each with the remedy. */
export function checkHostLimits(out: string, paths: readonly string[], plan: HostPlan): Finding[] {
  const findings: Finding[] = [];
  const served = paths.filter((path) => !unservedFiles.has(path));
  for (const path of served) {
    // What signing is to add is small.
    const mib = (statSync(join(out, path), { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024;
    if (mib > hostLimits.fileMib) {
      const message = `has ${mib.toFixed(1).replace(/\.0$/, '')} MiB; the host accepts ${hostLimits.fileMib} MiB a file`;
      findings.push(problem(path, `${message}. Split the index into two sites`));
    }
    if (!headersFor(path))
      findings.push(
        problem(path, 'has an ending without a type in src/site/render/headers.ts. Add it there'),
      );
  }
  const { [plan]: most, paid } = hostLimits.files;
  if (served.length <= most) return findings;
  const remedy =
    plan === 'free'
      ? `The paid plan accepts ${format(paid)}: set "hosting": {"plan": "paid"} in site/site.json once you have it`
      : 'Split the index into two sites';
  const message = `has ${counted(served.length, 'file')}; the host accepts ${format(most)} on the ${plan} plan`;
  return [...findings, problem(out, `${message}. ${remedy}`)];
}

function format(value: number): string {
  return value.toLocaleString('en-US');
}
