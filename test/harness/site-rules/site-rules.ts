import { problem, type Finding } from '../../../src/core/schemas/finding.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import { isOfComponent, fillPath, publishedPaths } from '../../../src/site/render/paths.ts';
import { readBaseUrl } from '../../../src/deliver/publish/live.ts';
import { checkAgreement } from './agreement.ts';
import { checkDetailsFile } from './component-documents.ts';
import { checkCalendar, checkPage, checkXml } from './page-links.ts';
import { openSite, type Report, type SiteFolder } from './opened-site.ts';
import { readJsonDocument } from './published-documents.ts';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Problems of a built site that every renderer must avoid: a path that a component lacks, an empty value, a broken link, and
 * documents that contradict each other. The subject of each is the path of a file. The verb "check" compares the digests.
 * `components`: the names of all, alphabetical; by default those that the site lists.
 */
export function findBrokenRules(out: string, components?: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (path, message) => findings.push(problem(path, message));
  const site = openSite(out);
  const baseUrl = readBaseUrl(out);
  const documents = new Map<string, unknown>();
  for (const path of site.paths) {
    const bytes = site.read(path);
    if (bytes.subarray(0, 3).equals(byteOrderMark)) {
      report(path, 'begins with a byte order mark');
    }
    // Files below assets/ are for the pages alone.
    if (path.endsWith('.json') && !path.startsWith('assets/')) {
      takeDocument(path, bytes, documents, report);
    } else if (path.endsWith('.html')) {
      checkPage(path, bytes.toString(), site, baseUrl, report);
    } else if (path.endsWith('.ics')) {
      checkCalendar(path, bytes.toString(), baseUrl, report);
    } else if (/\.(?:atom|svg|xml)$/.test(path)) {
      checkXml(path, bytes.toString(), baseUrl, report);
    }
  }
  const names = components ?? namesOf(site, documents.get('index.json'));
  for (const path of expectedPaths(names)) {
    if (!site.paths.has(path)) {
      report(path, 'is missing');
    }
  }
  checkAgreement(site, documents, names, report);
  return findings;
}

/** The details are by far the largest, so they are checked at once and not kept; the release files are read before them. */
function takeDocument(
  path: string,
  bytes: Buffer,
  documents: Map<string, unknown>,
  report: Report,
): void {
  const document = readJsonDocument(path, bytes, report);
  if (document === undefined) {
    return;
  }
  const name = /^details\/(.*)\.json$/.exec(path)?.[1];
  const releases = documents.get(`${name}.json`) as ReleaseFile | undefined;
  if (name === undefined) {
    documents.set(path, document);
  } else if (releases) {
    checkDetailsFile(path, document as DetailsFile, name, releases, report);
    checkOwner(path, document as DetailsFile, name, documents, report);
  }
}

/** An earlier name of a component has the same releases; any other name has its own. */
function checkOwner(
  path: string,
  { component }: DetailsFile,
  name: string,
  documents: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  const names = documents.get('index.json');
  const isEarlierName = Array.isArray(names) && !names.includes(name) && names.includes(component);
  if (component === name) {
    return;
  }
  if (!isEarlierName) {
    return report(path, `component: expected "${name}"; got "${component}"`);
  }
  const [own, old] = [component, name].map((each) => JSON.stringify(documents.get(`${each}.json`)));
  if (own !== old) {
    report(`${name}.json`, `expected the releases of ${component}.json, as it is its earlier name`);
  }
}

/** Where the list of names is broken, the files of details show which components there are. */
function namesOf(site: SiteFolder, index: unknown): readonly string[] {
  if (Array.isArray(index)) {
    return index as string[];
  }
  return [...site.paths]
    .filter((path) => path.startsWith('details/'))
    .map((path) => path.slice('details/'.length, -'.json'.length));
}

/** Every published path, for every component. */
function* expectedPaths(names: readonly string[]): Generator<string> {
  for (const published of publishedPaths) {
    const { path } = published;
    if (published.needs !== undefined) {
      continue;
    }
    if (isOfComponent(published)) {
      for (const name of names) {
        yield fillPath(path, name);
      }
    } else if (!path.includes('{')) {
      yield path;
    }
  }
}
