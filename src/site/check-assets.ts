import { readFileSync } from 'node:fs';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { isBelowFolder } from './digests.ts';
import { generatedAssets } from './render/paths.ts';

/** Finds assets that would run under the address of the index, and names that the index cannot publish or generates itself. */
export function checkAssets(root: Root): Finding[] {
  const findings: Finding[] = [];
  for (const [name, path] of listSiteFiles(root, 'assets')) {
    const message = generatedAssets.includes(name)
      ? 'the build generates a file with this name; rename yours, a stylesheet to own.css'
      : findAssetProblem(name, path);
    if (message !== undefined) {
      findings.push(fileProblem(`site/assets/${name}`, message));
    }
  }

  return findings;
}

/** A name that cannot be published, or code in the asset: a host without security headers would run it with the rights of the pages. */
function findAssetProblem(name: string, path: string): string | undefined {
  if (!/\.(?:css|ico|png|svg)$/.test(name)) {
    return 'expected a file .css, .ico, .png or .svg: others may run as scripts or pages of the index';
  }
  if (!isBelowFolder(`assets/${name}`)) {
    return 'SHA256SUMS cannot list this name; rename the file, without backslashes, line breaks and control characters';
  }
  if (!name.endsWith('.svg')) {
    return undefined;
  }

  const part = findActivePart(readFileSync(path, 'utf8'));
  return part && `expected a picture without scripts, links and entities; got ${quote(part)}`;
}

/** The first part of an SVG that runs, loads or hides something. */
function findActivePart(text: string): string | undefined {
  const parts = activeParts.map((pattern) => pattern.exec(text)?.[0]);
  return parts.find((part) => part !== undefined) ?? findDividedStylesheet(text);
}

const activeParts = [
  // `<script>`, `<svg:foreignObject>`, and elements of HTML, which load from `src` and `action`.
  /<(?:[^\s<>/:]*:)?(?:script|foreignObject|iframe|embed|object|handler|listener)\b|1999\/xhtml/i,
  // `<svg onload="…">`.
  /[\s"'/]on\w+\s*=/i,
  // `href="javascript:…"`. Links to the picture itself and to embedded pictures are allowed.
  /\bhref\s*=\s*(["'])(?!#|data:image\/(?:gif|jpeg|png|webp)[;,]|\1)/i,
  // `<set attributeName="xlink:href" to="…">`.
  /\battributeName\s*=\s*["'](?:[^"']*:)?href/i,
  // Stylesheets and pictures of other hosts: `@import "…"`, `url(https://…)`, `image-set("https://…" 1x)`.
  /@import\b|\b(?:image|image-set|src)\(|\burl\(\s*["']?(?!#|data:|["'\s])/i,
  // Characters that hide a word from these expressions: `@\69mport`, `&#104;ref`.
  /\\|&#/,
  // `<!ENTITY …>`, `<?xml-stylesheet …?>`.
  /<!(?:ENTITY|ATTLIST)|<\?(?!xml\s)/i,
  // `encoding="utf-16"`: another reader may decode the text in another way.
  /\bencoding\s*=\s*["'](?!utf-8["'])|[\0\ufffd]/i,
];

const styleElement = /<(?:[^\s<>/:]*:)?style\b/gi;
/**
 * An empty element, or one with a single text, or with a single CDATA section and nothing but space around it. A long text is read
 * once: no part goes on behind the next `<`.
 */
const wholeStyle =
  /^<(?:[^\s<>/:]*:)?style(?:(?:\s+id="\w+")?\s*\/>|[^<>]*>(?:[^<]*|\s*<!\[CDATA\[(?![^<]*\]\]>\s*[^\s<])[^<]*\]\]>\s*)<\/)/i;

/** The first stylesheet in pieces, which hide words from the expressions: `<style>@im<!-- -->port`. */
function findDividedStylesheet(text: string): string | undefined {
  const styles = Array.from(text.matchAll(styleElement), ({ index }) => text.slice(index));
  return styles.find((style) => !wholeStyle.test(style));
}
