import { realpathSync } from 'node:fs';
import { Option } from 'commander';
import { inputError, UsageError } from '../../core/errors.ts';
import { saveFile } from '../../core/files.ts';
import { readText } from '../../core/index/item.ts';
import { pick } from '../../core/objects.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList, quote } from '../../core/text.ts';
import { describeDay, markEstimated, vulnerableLabel } from '../../core/words.ts';
import { requireComponent, requireVerdict, type Judged } from '../../serve/published-index.ts';
import type { Context, Define } from '../context.ts';
import type { Report } from '../report.ts';
import { fillPlaces, listChanges, renderTable } from './markdown.ts';
import { openDated } from './published.ts';

interface Options {
  markdown?: true;
  write?: string;
  check?: string;
}

export const define: Define = (command, context) => {
  command
    .argument(
      '<component>',
      'a name, an alias, an image or a package URL; svc@2025.1 names a version, too',
    )
    .argument('[version]', 'a version or a release line')
    .option('--markdown', 'print the lines as a table in Markdown')
    .addOption(
      new Option(
        '--write <file>',
        'put the table between <!-- release-index: <component> --> and <!-- /release-index -->',
      )
        .implies({ markdown: true })
        .conflicts('check'),
    )
    .addOption(
      new Option('--check <file>', 'exit status 1, and a diff, where that file differs').implies({
        markdown: true,
      }),
    )
    .action((text: string, version: string | undefined, options: Options) =>
      explain(text, version, options, context),
    );
};

async function explain(
  text: string,
  version: string | undefined,
  options: Options,
  context: Context,
): Promise<void> {
  const { report } = context;
  const { index, asOf } = await openDated(context);
  const item = version ? { text, name: text, version } : readText(text.trim(), await index.names());
  const stated = item?.version;
  if (item && stated !== undefined) {
    if (options.markdown) {
      throw new UsageError(
        `--markdown: expected a component alone; got a version, ${quote(stated)}`,
      );
    }
    const match = await requireVerdict(index, item);
    report.print(...explainVersion(match, asOf));
    report.document({ component: match.component, asOf, ...match.verdict });
    return;
  }

  const details = await requireComponent(index, text);
  if (options.markdown) {
    giveTable(details, text, options, report);
    return;
  }
  report.print(...explainComponent(details, asOf));
  report.document({ asOf, ...pick(details, ['component', 'latest', 'lines']) });
}

/** Prints the table, writes it into a file, or compares it with that of a file. `text`: as the component was called. */
function giveTable(
  details: Component,
  text: string,
  { write, check }: Options,
  report: Report,
): void {
  const { component, renamedFrom = [] } = details;
  const table = renderTable(details);
  const file = check ?? write;
  if (file === undefined) {
    report.print(...table);
  } else {
    const { before, after } = fillPlaces(file, [component, text, ...renamedFrom], table);
    if (check === undefined) {
      // A link leads to the same file as before.
      const isChanged = saveFile(realpathSync(file), after);
      report.print(`${file}: ${isChanged ? 'written' : 'unchanged'}`);
    } else if (before !== after) {
      report.print(...listChanges(before, after));
      throw inputError(
        file,
        `its table of ${component} is not that of the index. Write it: npx release-index explain ${component} --markdown --write ${file}`,
      );
    }
  }
  report.document({ component, markdown: table.join('\n') });
}

function explainVersion({ component, support, verdict }: Judged, asOf: string): string[] {
  const { version, line, label, sentence, because, advice, changelogUrl, digest, files } = verdict;
  // A line has a reason of its own, or that of the policy; that no end is stated is said already.
  const isExplained = because.length > 0 || support.policy === 'none';
  const rule = isExplained ? '' : ` ${support.description}`;
  const day = describeDay(verdict, 'on or before');
  const unknown = verdict.isListed ? 'Its release day is not known' : 'Not listed';
  const released = day === '' ? unknown : `Released ${day}`;
  return [
    `${component} ${version} on ${asOf}: ${label}`,
    sentence,
    advice,
    ...because,
    `${released}, line ${line ?? 'unknown'}.${rule}`,
    changelogUrl && `Change log: ${changelogUrl}`,
    digest && `Digest: ${digest}`,
    ...Object.entries(files ?? {}).map((file) => `Digest of ${file.join(': ')}`),
  ].filter((text) => text !== undefined);
}

function explainComponent(
  { component, title, support, latest, lines, packages }: Component,
  asOf: string,
): string[] {
  return [
    `${component} (${title}) on ${asOf}`,
    support.description,
    `Latest: ${latest ?? 'none'}`,
    ...(packages.length > 0 ? [`Packages: ${formatList(packages, 5)}`] : []),
    '',
    ...lines.toReversed().map(describeLine),
  ];
}

/** `  2025.1: ended 2026-10-08 (estimated); newest 2025.1.3, 4 releases` */
function describeLine({ line, label, end, isInferred, latest, releases, advice }: Line): string {
  const [state, until] = [label.toLowerCase(), markEstimated(end, isInferred)];
  const words = until.startsWith(state) ? until : `${state}, ${until}`;
  const newest = latest === undefined ? '' : `newest ${latest}, `;
  const remedy = label === vulnerableLabel ? `. ${advice}` : '';
  return `  ${line}: ${words}; ${newest}${formatCount(releases, 'release')}${remedy}`;
}
