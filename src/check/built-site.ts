import { existsSync } from 'node:fs';
import type { Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import type { ReleaseFile } from '../model/published/release-file.ts';
import type { StatusFile } from '../model/published/status-file.ts';
import { checkAgreement } from './agreement.ts';
import { checkComplete } from './complete.ts';
import { checkDetailsFile } from './component-documents.ts';
import { readJsonDocument } from './published-documents.ts';
import { checkDigests, openSite, reporter, type Report, type SiteFolder } from './opened-site.ts';
import { checkPage } from './links.ts';
import { checkCalendar, checkXml } from './texts.ts';

/** What the site must be besides sound in itself; each is checked where it is given. */
export interface SiteExpectations {
  /** Names of all components, alphabetical. */
  readonly components?: readonly string[];
  /** Digest of what it must have been built from. */
  readonly inputs?: string;
  /** The day it must have been built for. */
  readonly day?: Day;
  /** Where it must have been built to be published, without a slash at its end. */
  readonly baseUrl?: string;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Validates a built site against the rules of its published files: whole (digests, no stray file, every path for every
 * component), valid (every JSON document by its schema, nothing empty), and of one mind (what several documents say of a
 * release is the same). Every problem comes back; the subject of each is the path of a file. An empty list means that it
 * may be published.
 */
export function checkSite(out: string, expectations: SiteExpectations = {}): Finding[] {
  const findings: Finding[] = [];
  const report = reporter(findings);
  if (!existsSync(out)) {
    report(out, 'there is no built site; "build" makes it');
    return findings;
  }
  const site = openSite(out);
  const baseUrl = baseUrlOf(site);
  const documents = new Map<string, unknown>();
  checkDigests(site, report, (path, bytes) => {
    if (bytes.subarray(0, 3).equals(byteOrderMark)) report(path, 'begins with a byte order mark');
    if (path.endsWith('.json')) takeDocument(path, bytes, documents, report);
    else if (path.endsWith('.html')) checkPage(path, bytes.toString(), site, baseUrl, report);
    else if (path.endsWith('.ics')) checkCalendar(path, bytes.toString(), baseUrl, report);
    else if (/\.(?:atom|svg|xml)$/.test(path)) checkXml(path, bytes.toString(), baseUrl, report);
  });
  const names = expectations.components ?? namesOf(site, documents.get('index.json'));
  checkComplete(site, names, report);
  checkAgreement(site, documents, names, report);
  checkExpectations(documents.get('status.json') as StatusFile | undefined, baseUrl, expectations, report);
  return findings;
}

/** The details are by far the most, so that they are looked at and let go; the release files come before them. */
function takeDocument(path: string, bytes: Buffer, documents: Map<string, unknown>, report: Report): void {
  const document = readJsonDocument(path, bytes, report);
  if (document === undefined) return;
  const name = /^details\/(.*)\.json$/.exec(path)?.[1];
  const releases = documents.get(`${name}.json`) as ReleaseFile | undefined;
  if (name === undefined) documents.set(path, document);
  else if (releases) checkDetailsFile(path, document as DetailsFile, name, releases, report);
}

/** Where the list of names is broken, the release files tell what components there are. */
function namesOf(site: SiteFolder, index: unknown): readonly string[] {
  if (Array.isArray(index)) return index as string[];
  return [...site.paths]
    .filter((path) => path.startsWith('details/'))
    .map((path) => path.slice('details/'.length, -'.json'.length));
}

/** Undefined where the preset, which is reported elsewhere, does not tell. */
function baseUrlOf(site: SiteFolder): string | undefined {
  if (!site.paths.has('renovate.json')) return undefined;
  const text = site.read('renovate.json').toString();
  return /"defaultRegistryUrlTemplate": "([^"]+)\/\{\{packageName\}\}\.json"/.exec(text)?.[1];
}

function checkExpectations(
  status: StatusFile | undefined,
  baseUrl: string | undefined,
  expected: SiteExpectations,
  report: Report,
): void {
  if (status && expected.day !== undefined && status.asOf !== expected.day) {
    report('status.json', `the site was built for ${status.asOf}, not for ${expected.day}; build it anew`);
  }
  if (status && expected.inputs !== undefined && status.inputs !== expected.inputs) {
    report(
      'status.json',
      'the site was built from other definitions or data than those that are here; build it anew',
    );
  }
  if (baseUrl !== undefined && expected.baseUrl !== undefined && baseUrl !== expected.baseUrl) {
    report(
      'renovate.json',
      `the site was built to be published at ${baseUrl}, not at ${expected.baseUrl}; build it anew`,
    );
  }
}
