import { readFileSync } from 'node:fs';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { generatedAssets } from './render/paths.ts';

/** Finds a missing logo, and assets that would run under the address of the index or are named like a generated file. */
export function checkAssets(root: Root, { logo }: SiteConfig): Finding[] {
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
  // `<script>`, `<svg:foreignObject>`.
  /<(?:[^\s<>/:]*:)?(?:script|foreignObject|iframe|embed|object|handler|listener)\b/i,
  // Handlers of events: `<svg onload="…">`.
  /[\s"'/]on\w+\s*=/i,
  // Links, other than to the picture itself and to embedded pictures: `href="javascript:…"`.
  /\bhref\s*=\s*(["'])(?!#|data:image\/(?:gif|jpeg|png|webp)[;,]|\1)/i,
  // Links that an animation sets: `<set attributeName="xlink:href" to="…">`, also with an entity in the name.
  /\battributeName\s*=\s*["'](?:(?:\w+:)?href|[^"']*&)/i,
  // Stylesheets and pictures of other hosts: `@import "…"`, `url(https://…)`.
  /@import\b|\burl\(\s*["']?(?!#|data:|["'\s])/i,
  // Entities and instructions: `<!ENTITY …>`, `<?xml-stylesheet …?>`.
  /<!(?:ENTITY|ATTLIST)|<\?(?!xml\s)/i,
  // Text that another reader may decode in another way: `encoding="utf-16"`.
  /\bencoding\s*=\s*["'](?!utf-8["'])|[\0\ufffd]/i,
];
