import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import type { BadgeFile, PresetFile } from '../../../src/core/schemas/published/small-files.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { checkChanges } from './changes-agreement.ts';
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
    checkSearched(searched.get(name), name, file, status?.asOf, report);
  }
  checkChanges(documents, status?.asOf, report);
  checkPreset(documents.get('renovate.json') as PresetFile | undefined, documents, report);
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

function checkPreset(preset: PresetFile | undefined, documents: Documents, report: Report): void {
  const named = preset?.packageRules.flatMap(({ overridePackageName, matchPackageNames = [] }) =>
    overridePackageName === undefined ? matchPackageNames : [overridePackageName],
  );
  for (const name of named ?? [])
    if (!documents.has(`${name}.json`))
      report('renovate.json', `packageRules: there is no component "${name}"`);
}
