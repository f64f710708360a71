import { lastFreePhase } from '../../core/model/phases.ts';
import { supportPredicate } from '../../core/model/words.ts';
import type { PublishedLineOn, DetailsOn } from './details-on.ts';

/** `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function supportedVersions({ lines }: Pick<DetailsOn, 'lines'>): string[] {
  const versions: string[] = [];
  for (const line of lines) {
    const latest = findLatest(line);
    if (line.isSupported === true && latest !== undefined) {
      versions.push(latest);
    }
  }
  return versions;
}

/** The lines that are or may be supported, newest first, as a Markdown table with the command that prints it in a comment. */
export function supportedLinesTable({ lines }: DetailsOn, command: string): string[] {
  const supported = lines.filter(
    ({ isSupported, phases }) => isSupported ?? lastFreePhase(phases) !== undefined,
  );
  const rows = supported.toReversed().map((line) => {
    const support = supportPredicate(line).replaceAll('|', '&#124;');
    const origin = line.inferred ? ' (inferred)' : '';
    return `| ${line.line} | ${findLatest(line) ?? ''} | ${support}${origin} |`;
  });
  const table = ['| Release line | Latest | Support |', '| --- | --- | --- |', ...rows];
  return [
    ...(rows.length > 0 ? table : ['No release line is known to be supported.']),
    '',
    `<!-- ${command} -->`,
  ];
}

function findLatest({ releases }: PublishedLineOn): string | undefined {
  return releases.findLast(({ isLatestOfLine }) => isLatestOfLine)?.version;
}
