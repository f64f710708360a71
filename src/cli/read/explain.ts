import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readText, type Item } from '../../ask/item.ts';
import { findOwners, type Names } from '../../ask/owners.ts';
import { requireComponent, requireVerdict, type Judged } from '../../ask/published-index.ts';
import { readQuestion } from '../../ask/question.ts';
import { pick } from '../../core/objects.ts';
import {
  describeDay,
  describeSuccessors,
  markEstimated,
  vulnerableLabel,
} from '../../core/phrases.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import type { Context, Define } from '../context.ts';
import { openDated } from './published.ts';

export const define: Define = (command, context) => {
  command
    .argument(
      '<component>',
      'a name, an alias, an image or a package URL, perhaps with a version: svc@2025.1',
    )
    .argument('[version...]', 'a version or a release line')
    .action((first: string, others: string[]) => explain([first, ...others], context));
};

async function explain(words: readonly string[], context: Context): Promise<void> {
  const { report } = context;
  const { index, asOf } = await openDated(context);
  const text = words.join(' ').trim();
  const item = readWords(words, text, await index.names());
  if (item?.version !== undefined) {
    const match = await requireVerdict(index, item);
    warnOfEdit(match.component, context);
    report.print(explainVersion(match, asOf));
    report.document({ component: match.component, asOf, ...match.verdict });
    return;
  }

  const details = await requireComponent(index, item?.name ?? text);
  warnOfEdit(details.component, context);
  report.print(explainComponent(details, asOf));
  report.document({ asOf, ...pick(details, ['component', 'latest', 'lines']) });
}

/**
 * Reads the words of a command: a component and a version, or a question. A name with spaces needs no quotes: `spring boot 2.7`. If no name
 * is known, the last word is the version.
 */
function readWords(words: readonly string[], text: string, names: Names): Item | undefined {
  const name = words.slice(0, -1).join(' ');
  const stated = name === '' ? undefined : { text, name, version: words.at(-1)! };
  return stated && findOwners(stated, names).length > 0
    ? stated
    : (readQuestion(text, names) ?? stated ?? readText(text, names));
}

/** Warns if the definition of a component was saved after the site in this folder was built. */
function warnOfEdit(component: string, { root, out, indexUrl, report }: Context): void {
  const read = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const built = indexUrl === undefined ? read(join(out, 'status.json')) : undefined;
  const subject = `components/${component}.json`;
  const edited = read(join(root, subject));
  if (built !== undefined && edited !== undefined && edited > built) {
    const message =
      'was changed after the build, so this answer is that of the former definition. For the present one: npx release-index build';
    report.problem({ subject, message, level: 'warning' });
  }
}

function explainVersion({ component, support, verdict }: Judged, asOf: string): string[] {
  const { version, line, label, sentence, because, advice, changelogUrl, digest, files } = verdict;
  // If the verdict gives reasons, the support policy is not described. The policy `none` is never described, because the verdict's sentence
  // already says that no end of support is given.
  const isExplained = because.length > 0 || support.policy === 'none';
  const rule = isExplained ? '' : ` ${support.description}`;
  const day = describeDay(verdict, 'on or before');
  const isLine = !verdict.isListed && version === line;
  const unknown = verdict.isListed ? 'The release day is not known' : 'Not listed';
  const released = day === '' ? unknown : `Released ${day}`;
  return [
    `${component} ${version} on ${asOf}: ${label}`,
    sentence,
    advice,
    ...because,
    isLine ? `A release line.${rule}` : `${released}, line ${line ?? 'unknown'}.${rule}`,
    changelogUrl && `Change log: ${changelogUrl}`,
    digest && `Digest: ${digest}`,
    ...Object.entries(files ?? {}).map((file) => `Digest of ${file.join(': ')}`),
  ].filter((text) => text !== undefined);
}

function explainComponent(details: Component, asOf: string): string[] {
  const { component, title, support, requiredStops, latest, lines, packages } = details;
  const successors = describeSuccessors(details);
  return [
    `${component} (${title}) on ${asOf}`,
    support.description,
    ...(requiredStops ? [requiredStops.description] : []),
    ...(successors ? [successors] : []),
    `Latest: ${latest ?? 'none'}`,
    ...(packages.length > 0 ? [`Packages: ${formatList(packages, 5)}`] : []),
    '',
    ...lines.toReversed().map(describeLine),
  ];
}

/** Returns `  2025.1: ended 2026-10-08 (estimated); newest 2025.1.3, 4 releases`. */
function describeLine(facts: Line): string {
  const { line, label, end, isInferred, paidSupport, latest, releases, advice } = facts;
  const [state, until] = [label.toLowerCase(), markEstimated(end, isInferred)];
  const words = until.startsWith(state) ? until : `${state}, ${until}`;
  const newest = latest === undefined ? '' : `newest ${latest}, `;
  const row = `  ${line}: ${words}; ${newest}${formatCount(releases, 'release')}`;
  const sentences = [paidSupport, label === vulnerableLabel && advice].filter(Boolean);
  return sentences.length > 0 ? `${row}. ${sentences.join(' ')}` : row;
}
