import { commentOn } from '../site/render/places.ts';
import type { pinFinder, PinContext } from './find-pins.ts';

/** A comment to write above a version. */
export interface MissingComment {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly component: string;
  /** The new line, without its line break. */
  readonly text: string;
}

/** A name and a version: `ARG SVC_VERSION=2025.1`, `svcVersion: "2025.1"`, `<svc.version>2025.1<`. */
const assignment =
  /^(?<indent>\s*)(?:(?:ENV|ARG|export|val|var|def|const)\s+|-\s+|<)?["']?(?<name>[A-Za-z][\w.-]*)["']?\s*[?:]{0,2}[=:>\s]\s*["']?(?<version>v?\d[\w.+~!-]*)/;

/**
 * Finds versions without a comment that belong to a component: the name gives the component, and the index lists the version.
 * Returns only comments with which `find` reads the version.
 */
export async function missingComments(
  file: string,
  text: string,
  context: PinContext & { isListed: (component: string, version: string) => Promise<boolean> },
  find: ReturnType<typeof pinFinder>,
): Promise<MissingComment[]> {
  // JSON has no comments.
  if (/\.json$/i.test(file)) {
    return [];
  }
  const lines = text.split('\n');
  const missing: MissingComment[] = [];
  for (const [index, line] of lines.entries()) {
    const { indent = '', name = '', version = '' } = assignment.exec(line)?.groups ?? {};
    const component = componentIn(name);
    if (!context.components.has(component) || !(await context.isListed(component, version))) {
      continue;
    }
    const before = lines.slice(0, index).findLast((above) => above.trim() !== '') ?? '';
    // A comment between the lines of a continued command would end the command.
    if (/renovate\s*:/i.test(before) || before.endsWith('\\')) {
      continue;
    }
    const added = indent + inComment(file, commentOn(context.datasource, component));
    const { pins } = find(file, lines.toSpliced(index, 0, added).join('\n'));
    if (pins.some((pin) => pin.line === index + 1 && pin.version === version)) {
      missing.push({ file, line: index + 1, component, text: added });
    }
  }
  return missing;
}

/** `EDGE_NODE_VERSION`, `edgeNodeVersion` and `edge-node.version` name `edge-node`. */
function componentIn(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').replaceAll(/[._]/g, '-');
  return words.toLowerCase().replace(/-version$/, '');
}

function inComment(file: string, comment: string): string {
  if (/\.xml$/i.test(file)) {
    return `<!-- ${comment} -->`;
  }
  return /\.gradle(?:\.kts)?$|jenkinsfile/i.test(file) ? `// ${comment}` : `# ${comment}`;
}

/** The comments of a file as `diff -u` prints them, each with the line below. */
export function diffOf(file: string, text: string, comments: readonly MissingComment[]): string[] {
  const lines = text.split('\n');
  return [
    `--- a/${file}`,
    `+++ b/${file}`,
    ...comments.flatMap(({ line, text: added }, index) => [
      `@@ -${line} +${line + index},2 @@`,
      `+${added}`,
      ` ${lines[line - 1]}`,
    ]),
  ];
}

/** Inserts the comments. Every other byte stays, including line ends. */
export function withComments(text: string, comments: readonly MissingComment[]): string {
  const lines = text.split('\n');
  for (const { line, text: added } of comments.toReversed()) {
    lines.splice(line - 1, 0, lines[line - 1]?.endsWith('\r') ? `${added}\r` : added);
  }
  return lines.join('\n');
}
