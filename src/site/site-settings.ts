import type { Day } from '../core/model/dates.ts';
import type { AccessConfig } from '../core/schemas/access/access-config.ts';
import { findHost, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import { InputError, problem, type Finding } from '../core/schemas/finding.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../io/files/read.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { listComponents, type Root } from '../io/files/root.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkAssets } from './check-assets.ts';
import { checkComponentNames } from './component-names.ts';
import { loadComponent } from './load-component.ts';
import { isStatic } from './render/site-context.ts';

export type Settings = ReturnType<typeof readSettings>;

/** Reads the settings, access rules, policies and definitions. Throws an InputError with all findings if one of them is wrong. */
export function readSettings(root: Root, day: Day) {
  const { names, findings } = listComponents(root);
  const { value: config, findings: configFindings } = readSiteConfig(root);
  const { value: access, findings: accessFindings } = readAccessConfig(root);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  const definitions = readDefinitions(root, names);
  const clashes = checkComponentNames(definitions);
  findings.push(
    ...configFindings,
    ...accessFindings,
    ...checkHost(config, access),
    ...clashes,
    ...policyFindings,
  );

  if (!config || clashes.length > 0) {
    throw new InputError([
      ...findings,
      ...names.flatMap((name) => loadComponent(root, name, day).findings),
    ]);
  }

  findings.push(...checkAssets(root, config));
  return { config, access, policies, definitions, findings };
}

/** Rejects a private index on a plain file host, which serves everything to everybody. */
export function checkHost(
  config: SiteConfig | undefined,
  access: AccessConfig | undefined,
): Finding[] {
  if (!config || !access || !isStatic({ config })) {
    return [];
  }

  const message = `"hosting": "${findHost(config)}" serves everything to everybody, and ${accessFile} makes the index private. Only "cloudflare" requires a credential`;
  return [problem('site/site.json', message)];
}
