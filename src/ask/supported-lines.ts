import { lastFreePhase } from '../core/phases.ts';
import { supportPredicate } from '../core/words.ts';
import type { DetailsOn } from './details-on.ts';

/** The release lines that are or may be supported, newest first. */
export function supportedLines({ lines }: Pick<DetailsOn, 'lines'>) {
  return lines
    .filter(({ isSupported, phases }) => isSupported ?? lastFreePhase(phases) !== undefined)
    .toReversed()
    .map((line) => ({
      line: line.line,
      state: line.state,
      latest: line.releases.findLast(({ isLatestOfLine }) => isLatestOfLine)?.version ?? '',
      support: supportPredicate(line),
    }));
}

/** The supported lines as a Markdown table, with the command that prints it in a comment. */
export function supportedLinesTable(details: DetailsOn, command: string): string[] {
  const rows = supportedLines(details).map(
    ({ line, latest, support }) => `| ${line} | ${latest} | ${support.replaceAll('|', '&#124;')} |`,
  );
  const table = ['| Release line | Latest | Support |', '| --- | --- | --- |', ...rows];
  return [
    ...(rows.length > 0 ? table : ['No release line is known to be supported.']),
    '',
    `<!-- ${command} -->`,
  ];
}
