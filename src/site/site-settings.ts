import { readFileSync } from 'node:fs';
import type { Day } from '../core/model/dates.ts';
import type { AccessConfig } from '../core/schemas/access/access-config.ts';
import { findHost, type SiteConfig } from '../core/schemas/definition/site-config.ts';
import {
  InputError,
  isError,
  problem,
  fileProblem,
  type Finding,
} from '../core/schemas/finding.ts';
import { accessFile, readAccessConfig, readSiteConfig } from '../io/files/settings-files.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { listComponents, listSiteFiles, type Root } from '../io/files/root.ts';
import { readDefinitions } from '../record/read-definition.ts';
import { checkComponentNames } from './component-names.ts';
import { loadComponent } from './load-component.ts';
import { isStatic } from './render/site-context.ts';
import { quote } from '../core/text/foreign-text.ts';
import { generatedAssets } from './render/paths.ts';

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings, access rules, policies and definitions. If one of them is wrong, throws an InputError with its findings and
 * those of all components.
 */
export function readSettings(root: Root, day: Day) {
  const { names, findings } = listComponents(root);
  const definitions = readDefinitions(root, names);
  const { config, access, policies, findings: fileFindings } = readSettingFiles(root, day);
  findings.push(...fileFindings, ...checkComponentNames(definitions));

  if (!config || findings.some(isError)) {
    const componentFindings = names.flatMap((name) => loadComponent(root, name, day).findings);
    throw new InputError([...findings, ...componentFindings]);
  }

  return { config, access, policies, definitions, findings };
}

/** Reads the files that a person edits besides definitions, with the problems in them and between them. */
export function readSettingFiles(root: Root, day: Day) {
  const { value: config, findings } = readSiteConfig(root);
  const { value: access, findings: accessFindings } = readAccessConfig(root);
  const { policies, findings: policyFindings } = readPolicies(root, day);
  const assetFindings = config ? checkAssets(root, config) : [];
  return {
    config,
    access,
    policies,
    findings: [
      ...findings,
      ...assetFindings,
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

/** Finds a missing logo, and assets that would run under the address of the index or are named like a generated file. */
function checkAssets(root: Root, { logo }: SiteConfig): Finding[] {
  const assets = new Map(listSiteFiles(root, 'assets'));
  const findings: Finding[] = [];
  for (const [name, path] of assets) {
    const message = generatedAssets.includes(name)
      ? 'the build generates a file with this name; rename yours, a stylesheet to own.css'
      : explainActiveAsset(name, path);
    if (message !== undefined) {
      findings.push(fileProblem(`site/assets/${name}`, message));
    }
  }

  if (logo !== undefined && !assets.has(logo)) {
    const message = `logo: expected a file in site/assets; got "${logo}", which is not there`;
    findings.push(fileProblem('site/site.json', message));
  }

  return findings;
}

/** Why an asset may run code: a host that sends no security headers would run it with the rights of the pages. */
function explainActiveAsset(name: string, path: string): string | undefined {
  if (!/\.(?:css|ico|png|svg)$/.test(name)) {
    return 'expected a file .css, .ico, .png or .svg: others may run as scripts or pages of the index';
  }
  if (!name.endsWith('.svg')) {
    return undefined;
  }

  const text = readFileSync(path, 'utf8');
  for (const pattern of activeParts) {
    const part = pattern.exec(text)?.[0];
    if (part !== undefined) {
      return `expected a picture without scripts, links and entities; got ${quote(part)}`;
    }
  }
  return undefined;
}

/** The parts of an SVG that run, load or hide something. */
const activeParts: readonly RegExp[] = [
  // `<script>`, `<svg:foreignObject>`, and elements of HTML, which load from `src` and `action`.
  /<(?:[^\s<>/:]*:)?(?:script|foreignObject|iframe|embed|object|handler|listener)\b|1999\/xhtml/i,
  // Handlers of events: `<svg onload="…">`.
  /[\s"'/]on\w+\s*=/i,
  // Links, other than to the picture itself and to embedded pictures: `href="javascript:…"`.
  /\bhref\s*=\s*(["'])(?!#|data:image\/(?:gif|jpeg|png|webp)[;,]|\1)/i,
  // Links that an animation sets: `<set attributeName="xlink:href" to="…">`.
  /\battributeName\s*=\s*["'](?:\w+:)?href/i,
  // Stylesheets and pictures of other hosts: `@import "…"`, `url(https://…)`, `image-set("https://…" 1x)`.
  /@import\b|\b(?:image|image-set|src)\(|\burl\(\s*["']?(?!#|data:|["'\s])/i,
  // Characters that hide a word from these expressions: `@\69mport`, `&#104;ref`.
  /\\|&#/,
  // A stylesheet in pieces, which hide it too: `<style>@im<!-- -->port`. It is empty, one text or one CDATA section.
  /<(?:[^\s<>/:]*:)?style\b(?!(?:\s+id="\w+")?\s*\/>)[^>]*>(?!\s*<!\[CDATA\[[^<]*<\/)[^<]*<(?!\/)/i,
  // Entities and instructions: `<!ENTITY …>`, `<?xml-stylesheet …?>`.
  /<!(?:ENTITY|ATTLIST)|<\?(?!xml\s)/i,
  // Text that another reader may decode in another way: `encoding="utf-16"`.
  /\bencoding\s*=\s*["'](?!utf-8["'])|[\0\ufffd]/i,
];
