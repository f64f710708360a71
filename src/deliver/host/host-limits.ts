/** The limits of Cloudflare: checked in a built site, and for one component before gathered releases are saved. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { findHost } from '../../core/schemas/definition/site-config.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatCount, formatNumber } from '../../core/text/wording.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';
import type { Root } from '../../io/files/root.ts';
import { loadComponent } from '../../site/load-component.ts';
import { unservedFiles } from '../../site/render/headers.ts';
import { renderContents, renderComponentFiles } from '../../site/render/component-files.ts';
import { readTheme } from '../../site/theme.ts';

/** From developers.cloudflare.com/workers/platform/limits, "Static Assets": files by plan, bytes per file. */
const maxFiles = { free: 20_000, paid: 100_000 };
const maxFileBytes = 25 * 1024 * 1024;
const fileLimit = `the host accepts ${formatMib(maxFileBytes)} per file`;

/** Finds files in a built site that Cloudflare would reject. `paths`: all files, also those that signing adds later. */
export function checkHostLimits(
  out: string,
  paths: readonly string[],
  plan: keyof typeof maxFiles,
): Finding[] {
  const findings: Finding[] = [];
  const files = paths.filter((path) => !unservedFiles.has(path));

  for (const path of files) {
    // The files that signing adds may not exist yet.
    const bytes = statSync(join(out, path), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > maxFileBytes) {
      const message = `has ${formatMib(bytes)}; ${fileLimit}. Narrow allowedVersions of sources, or split the index into two sites`;
      findings.push(problem(path, message));
    }
  }

  const limit = maxFiles[plan];
  if (files.length > limit) {
    const message = `has ${formatCount(files.length, 'file')}; the host accepts ${formatNumber(limit)} on the ${plan} plan`;
    const advice =
      plan === 'free'
        ? `The paid plan accepts ${formatNumber(maxFiles.paid)}: set "hosting": {"plan": "paid"} in site/site.json once you have it`
        : 'Split the index into two sites';
    findings.push(problem(out, `${message}. ${advice}`));
  }

  return findings;
}

/** Rounds up: a file that is too large by a byte has more than the limit. */
function formatMib(bytes: number): string {
  return `${Math.ceil((bytes / 2 ** 20) * 10) / 10} MiB`;
}

/** Spares small components a build: published files are seldom sixteen times as large as the releases in compact JSON. */
const minMeasuredLength = maxFileBytes / 16;

/**
 * Why these releases of a component must not be saved: a published file would be too large for Cloudflare. Recorded data only
 * grows, so such a file would block every later publication. Undefined if all files fit, for few releases, on other hosts, and if
 * the component cannot be built.
 */
export function explainTooLarge(
  root: Root,
  name: string,
  day: Day,
  releases: readonly RecordedRelease[],
): string | undefined {
  if (JSON.stringify(releases).length < minMeasuredLength) {
    return undefined;
  }

  const config = readSiteConfig(root).value;
  if (!config || findHost(config) !== 'cloudflare') {
    return undefined;
  }

  const { component } = loadComponent(root, name, day, { releases });
  if (!component) {
    return undefined;
  }

  const site = { config, day, baseUrl: config.releasesUrl, theme: readTheme(root) };
  const contents = renderContents(component, site);
  for (const { path, body } of renderComponentFiles(component, contents, site)) {
    const bytes = Buffer.byteLength(body);
    if (bytes > maxFileBytes) {
      return `with the gathered releases, ${path} would have ${formatMib(bytes)}; ${fileLimit}. Narrow allowedVersions of the source`;
    }
  }

  return undefined;
}
