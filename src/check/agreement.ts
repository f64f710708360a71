import type { AllFile, ReleaseFile } from '../model/published/release-file.ts';
import type { BadgeFile, PresetFile } from '../model/published/small-files.ts';
import type { StatusFile } from '../model/published/status-file.ts';
import { checkChanges } from './changes-agreement.ts';
import { checkReleaseFile, show } from './component-documents.ts';
import { isOfAll, type Documents } from './published-documents.ts';
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
  if (status) checkNames('status.json', Object.keys(status.components), names, report);
  const all = checkAll(site, documents, names, report);
  for (const name of names) {
    const file = documents.get(`${name}.json`) as ReleaseFile | undefined;
    if (!file) continue;
    checkReleaseFile(`${name}.json`, file, status?.asOf, report);
    checkFollowers(site, documents, name, file, report);
    const copy = all.get(name);
    if (copy && JSON.stringify(copy.document) !== JSON.stringify(file)) {
      report(copy.path, `components["${name}"] is not the document of ${name}.json`);
    }
  }
  checkChanges(documents, status?.asOf, names, report);
  checkPreset(documents.get('renovate.json') as PresetFile | undefined, names, report);
}

interface Copy {
  /** `all.json`, or a part of it. */
  path: string;
  document: unknown;
}

/** What `all.json` and its parts hold, by the names of components. */
function checkAll(
  site: SiteFolder,
  documents: Documents,
  names: readonly string[],
  report: Report,
): Map<string, Copy> {
  const found = new Map<string, Copy>();
  const all = documents.get('all.json') as AllFile | undefined;
  if (!all) return found;
  const paths = ['all.json', ...(all.parts ?? [])];
  for (const path of paths) {
    if (!site.paths.has(path)) report('all.json', `parts: there is no ${path}`);
    const part = documents.get(path) as AllFile | undefined;
    for (const [name, document] of Object.entries(part?.components ?? {}))
      found.set(name, { path, document });
  }
  for (const path of site.paths)
    if (isOfAll(path) && !paths.includes(path)) report(path, 'is not among the parts of all.json');
  checkNames('all.json', [...found.keys()], names, report);
  return found;
}

function checkNames(
  path: string,
  found: readonly string[] | undefined,
  names: readonly string[],
  report: Report,
): void {
  if (!found || found.join() === names.join()) return;
  const missing = names.filter((name) => !found.includes(name));
  const surplus = found.filter((name) => !names.includes(name));
  const are = (list: readonly string[]) => `${list.join(', ')} ${list.length === 1 ? 'is' : 'are'}`;
  if (missing.length > 0) report(path, `${are(missing)} missing`);
  if (surplus.length > 0) report(path, `${are(surplus)} listed, but not in the site`);
  if (missing.length + surplus.length === 0)
    report(path, `expected the components in the order ${names.join(', ')}`);
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
    if (got !== expected) report(path, `${what}expected ${show(expected)}; got ${show(got)}`);
  };
  const status = (documents.get('status.json') as StatusFile | undefined)?.components[name];
  if (status) {
    compare('status.json', `${name}: latest: `, latest, status.latest);
    compare('status.json', `${name}: releases: `, file.releases.length, status.releases);
  }
  const badge = documents.get(`badges/${name}.json`) as BadgeFile | undefined;
  if (badge && latest !== undefined) compare(`badges/${name}.json`, 'message: ', latest, badge.message);

  const path = `latest/${name}.txt`;
  const text = site.paths.has(path) ? site.read(path).toString() : undefined;
  if (text === undefined && latest !== undefined) report(path, 'is missing');
  else compare(path, '', latest === undefined ? undefined : `${latest}\n`, text);
}

function checkPreset(preset: PresetFile | undefined, names: readonly string[], report: Report): void {
  for (const name of preset?.packageRules.flatMap((rule) => rule.matchPackageNames ?? []) ?? [])
    if (!names.includes(name)) report('renovate.json', `packageRules: there is no component "${name}"`);
}
