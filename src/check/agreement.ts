import type { Day } from '../dates.ts';
import type { ChangesFile } from '../model/published/changes-file.ts';
import type { ReleaseFile } from '../model/published/release-file.ts';
import type { BadgeFile, PresetFile } from '../model/published/small-files.ts';
import type { StatusFile } from '../model/published/status-file.ts';
import { checkReleaseFile, show } from './component-documents.ts';
import { checkSearched } from './searched.ts';
import { checkNames, uniteParts } from './united-parts.ts';
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
  if (status) checkNames('status.json', Object.keys(status.components), names, report);
  const all = uniteParts('all', site, documents, names, report);
  const searched = uniteParts('search', site, documents, names, report);
  for (const name of names) {
    const file = documents.get(`${name}.json`) as ReleaseFile | undefined;
    if (!file) continue;
    checkReleaseFile(`${name}.json`, file, status?.asOf, report);
    checkFollowers(site, documents, name, file, report);
    const copy = all.get(name);
    if (copy && JSON.stringify(copy.document) !== JSON.stringify(file)) {
      report(copy.path, `components["${name}"] is not the document of ${name}.json`);
    }
    checkSearched(searched.get(name), name, file, report);
  }
  checkChanges(documents.get('changes.json') as ChangesFile | undefined, status?.asOf, names, report);
  checkPreset(documents.get('renovate.json') as PresetFile | undefined, names, report);
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

function checkChanges(
  file: ChangesFile | undefined,
  day: Day | undefined,
  names: readonly string[],
  report: Report,
): void {
  if (!file) return;
  const known = new Set(names);
  const ids = new Set<string>();
  let previous: Day = '9999-12-31';
  for (const [index, { id, on, component }] of file.changes.entries()) {
    const refuse = (message: string) => report('changes.json', `changes[${index}]: ${message}`);
    if (on > previous) refuse(`expected the newest first; got ${on} after ${previous}`);
    if (day !== undefined && on > day) refuse(`${on} lies after the day of the site, ${day}`);
    if (!known.has(component)) refuse(`there is no component "${component}"`);
    if (ids.has(id)) refuse(`the id "${id}" is not unique`);
    ids.add(id);
    previous = on;
  }
}

function checkPreset(preset: PresetFile | undefined, names: readonly string[], report: Report): void {
  for (const name of preset?.packageRules.flatMap((rule) => rule.matchPackageNames ?? []) ?? [])
    if (!names.includes(name)) report('renovate.json', `packageRules: there is no component "${name}"`);
}
