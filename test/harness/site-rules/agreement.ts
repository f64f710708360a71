import type {
  AllFile,
  ReleaseFile,
  BadgeFile,
} from '../../../src/core/schemas/published/release-documents.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { checkReleaseFile, show } from './component-documents.ts';
import type { Documents } from './published-documents.ts';
import type { Report, SiteFolder } from './opened-site.ts';

/** Documents about the same releases say the same. `names` are the components of the site. */
export function checkAgreement(
  site: SiteFolder,
  documents: Documents,
  names: readonly string[],
  report: Report,
): void {
  const status = documents.get('status.json') as StatusFile | undefined;
  checkNames('index.json', documents.get('index.json') as string[] | undefined, names, report);
  if (status) {
    checkNames('status.json', Object.keys(status.components), names, report);
  }
  const copies = copiesIn(documents);
  checkNames('all.json', Object.keys(copies), names, report);
  for (const name of names) {
    const file = documents.get(`${name}.json`) as ReleaseFile | undefined;
    if (!file) {
      continue;
    }
    checkReleaseFile(`${name}.json`, file, status?.asOf, report);
    checkFollowers(site, documents, name, file, report);
    if (copies[name] && JSON.stringify(copies[name]) !== JSON.stringify(file)) {
      report('all.json', `components["${name}"] is not the document of ${name}.json`);
    }
  }
}

/** What `all.json` and its parts hold. */
function copiesIn(documents: Documents): AllFile['components'] {
  const whole = documents.get('all.json') as AllFile | undefined;
  const parts = (whole?.parts ?? []).map((path) => documents.get(path) as AllFile | undefined);
  return Object.assign(
    {},
    ...[whole, ...parts].map((part) => part?.components),
  ) as AllFile['components'];
}

function checkNames(
  path: string,
  found: readonly string[] | undefined,
  names: readonly string[],
  report: Report,
): void {
  if (!found || found.join() === names.join()) {
    return;
  }
  const missing = names.filter((name) => !found.includes(name));
  const surplus = found.filter((name) => !names.includes(name));
  for (const name of missing) {
    report(path, `${name} is missing`);
  }
  for (const name of surplus) {
    report(path, `${name} is listed, but not in the site`);
  }
  if (missing.length + surplus.length === 0) {
    report(path, `expected the components in the order ${names.join(', ')}`);
  }
}

/** Documents that repeat what the release file of a component says. */
function checkFollowers(
  site: SiteFolder,
  documents: Documents,
  name: string,
  file: ReleaseFile,
  report: Report,
): void {
  const latest = file.tags?.latest;
  type Value = string | number | undefined;
  const compare = (path: string, what: string, expected: Value, got: Value) => {
    if (got !== expected) {
      report(path, `${what}expected ${show(expected)}; got ${show(got)}`);
    }
  };
  const status = (documents.get('status.json') as StatusFile | undefined)?.components[name];
  if (status) {
    compare('status.json', `${name}: latest: `, latest, status.latest);
    compare('status.json', `${name}: releases: `, file.releases.length, status.releases);
  }
  const badge = documents.get(`badges/${name}.json`) as BadgeFile | undefined;
  if (badge && latest !== undefined) {
    compare(`badges/${name}.json`, 'message: ', latest, badge.message);
  }

  const path = `latest/${name}.txt`;
  const text = site.paths.has(path) ? site.read(path).toString() : undefined;
  if (text === undefined && latest !== undefined) {
    report(path, 'is missing');
  } else {
    compare(path, '', latest === undefined ? undefined : `${latest}\n`, text);
  }
}
