import type { Day } from '../core/model/dates.ts';
import type { AccessConfig } from '../core/schemas/access/access-config.ts';
import { findHost, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import { InputError, isError, problem, type Finding } from '../core/schemas/finding.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../io/files/settings-files.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkAssets } from './check-assets.ts';
import { checkComponentNames } from './component-names.ts';
import { loadComponent } from './load-component.ts';
import { isStatic } from './render/site-context.ts';

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings, access rules, policies and definitions. If one of the settings, rules, policies or names is wrong, throws an
 * InputError with these findings and those of all components. An invalid definition has its findings in `definitions`.
 */
export function readSettings(root: Root, day: Day) {
  const { names, definitions, findings } = readAllDefinitions(root);
  const { config, access, policies, findings: fileFindings } = readSettingFiles(root, day);
  findings.push(...fileFindings);

  if (!config || findings.some(isError)) {
    const componentFindings = names.flatMap((name) => loadComponent(root, name, day).findings);
    throw new InputError([...findings, ...componentFindings]);
  }

  return { config, access, policies, definitions, findings };
}

/** Reads all definitions, with the problems of their folder and between their names. An invalid definition has its own findings. */
export function readAllDefinitions(root: Root) {
  const { names, findings } = listComponents(root);
  const definitions = readDefinitions(root, names);
  findings.push(...checkComponentNames(definitions));
  return { names, definitions, findings };
}

/** Reads the files that a person edits besides definitions, with the problems in them and between them. */
export function readSettingFiles(root: Root, day: Day) {
  const { value: config, findings } = readSiteConfig(root);
  const { value: access, findings: accessFindings } = readAccessConfig(root);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  return {
    config,
    access,
    policies,
    findings: [
      ...findings,
      ...checkAssets(root),
      ...policyFindings,
      ...accessFindings,
      ...checkHost(config, access),
    ],
  };
}

/** Rejects a private index on a plain file host, which serves everything to everybody. */
function checkHost(config: SiteConfig | undefined, access: AccessConfig | undefined): Finding[] {
  if (!config || !access || !isStatic({ config })) {
    return [];
  }

  const message = `"hosting": "${findHost(config)}" serves everything to everybody, and ${accessFile} makes the index private. Only "cloudflare" requires a credential`;
  return [problem('site/site.json', message)];
}
