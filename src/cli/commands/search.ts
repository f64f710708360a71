import { describeResults, searchByQueryOrDays } from '../../ask/search/search-releases.ts';
import { cutDay } from '../../core/model/dates.ts';
import { onlyPhase } from '../../core/model/phases.ts';
import { describeDayRange, markInferred, nameState } from '../../core/model/words.ts';
import { fields, type Row } from '../../core/query/fields.ts';
import { formatCsvRecord } from '../../core/text/foreign-text.ts';
import { notice } from '../../core/schemas/finding.ts';
import type { Table } from '../../run/run-context.ts';
import { flag, indexAddress, shared, UsageError, type Command } from '../command.ts';
import { askIndex } from '../open-index.ts';

const optionTable = {
  csv: flag('comma-separated values, with every field'),
  index: indexAddress,
  ...shared('root', 'as-of'),
};

const nameWidth = Math.max(...fields.map(({ name }) => name.length)) + 3;
const typeWidth = Math.max(...fields.map(({ type }) => type.length)) + 1;

export const command: Command<typeof optionTable> = {
  arguments: { required: ['query'], mayBeEmpty: true },
  options: optionTable,
  details: [
    'Terms separated by spaces must all match; "or", "not" and parentheses combine them. A term is field:pattern, where * stands',
    'for any characters, field:>value, field:[a to b], the name of a Boolean field, or a text to find in component, title and',
    'version. The empty query selects every release. Put -- before a query that begins with -.',
    'Results are ordered by component, then by version; ends of support by day. Relative times start at the beginning of the',
    '--as-of day, or of the day of a newer index.',
    '',
    'fields:',
    ...fields.map(
      ({ name, type, meaning }) => `  ${name.padEnd(nameWidth)}${type.padEnd(typeWidth)}${meaning}`,
    ),
  ],
  examples: [
    ["search 'component:svc isLatestOfLine'", 'the latest version of each line'],
    ["search 'ends within 90 days'", 'what ends soon: a row for each component and day'],
    [
      "search 'supportLeft:<90d' --index https://releases.example.com",
      'every release whose support ends within 90 days',
    ],
    ["search --json -- '-isDeprecated version:>=2025.1'", 'for a script'],
  ],
  isQuestion: true,
  async run(invocation) {
    const { arguments: words, options, report } = invocation;
    if (options.csv && options.json) {
      throw new UsageError('search accepts --csv or --json, not both');
    }

    const [query = ''] = words;
    const result = await askIndex(invocation, async (index) =>
      searchByQueryOrDays(index, query, await index.day()),
    );

    const { releases, notes } = result;
    if (options.csv || options.json) {
      // Programs read standard output, so notes go to standard error.
      report.finding(...notes.map((note) => notice('search', note)));
    }

    if (options.csv) {
      // Not print(...): there may be more rows than a call accepts arguments.
      for (const line of renderCsv(releases)) {
        report.print(line);
      }
    } else {
      if (releases.length > 0) {
        report.print(renderTable(releases));
      }

      report.print(describeResults(result));
    }

    report.document(releases);
    return 0;
  },
};

function renderTable(releases: readonly Row[]): Table {
  return {
    headings: ['component', 'version', 'state', 'released', 'support ends', 'latest of'],
    rows: releases.map((row) => {
      const latestOfLine = row.isLatestOfLine ? row.line : undefined;
      const cells = [
        row.component,
        row.version,
        nameState(row.state),
        describeReleased(row),
        describeSupportEnd(row),
        row.isLatest ? 'component' : latestOfLine,
      ];
      return cells.map((cell) => String(cell ?? '-'));
    }),
  };
}

function describeReleased({ releaseTimestamp, timestampKind }: Row): string | undefined {
  if (releaseTimestamp === undefined) {
    return undefined;
  }

  const day = cutDay(releaseTimestamp);
  return timestampKind === 'observed' ? `by ${day}` : day;
}

/** The end of support, and the present phase, which may end sooner or be a paid one. */
function describeSupportEnd(row: Row): string | undefined {
  const { supportedUntil: from, supportedUntilAtMost: atMost, isInferred, phase } = row;
  const range = describeDayRange({ from, atMost });
  if (range === '') {
    return undefined;
  }

  const inPhase = phase === undefined || phase === onlyPhase ? '' : `, now in phase ${phase}`;
  return markInferred(range, isInferred) + inPhase;
}

/** RFC 4180, but with the line ends of other output. */
function renderCsv(releases: readonly Row[]): string[] {
  const columns = fields.map(({ name }) => name);
  const rows = releases.map((row) => columns.map((name) => row[name]));
  return [columns, ...rows].map(formatCsvRecord);
}
