import type { ComponentDifference } from './diff.ts';

const namedAtMost = 12;

/** One line for each thing that changed, for a person. */
export function describeDifference(difference: ComponentDifference): string[] {
  const { kind, added, removed, deprecated, supportedAgain, corrected, latest } = difference;
  if (kind === 'added')
    return [
      `new component with ${counted(added.length)}${latest?.to === undefined ? '' : `, latest ${latest.to}`}`,
    ];
  if (kind === 'removed') return [`no longer there, with its ${counted(removed.length)}`];
  const lines = [
    list('new', added),
    list('gone', removed),
    list('deprecated now', deprecated),
    list('no longer deprecated', supportedAgain),
    list('another day or link', corrected),
  ].filter((line) => line !== undefined);
  if (!latest) return lines;
  const warning = difference.isLatestBackwards ? ', although it is not deprecated' : '';
  return [...lines, `latest: ${latest.to ?? 'none'} instead of ${latest.from ?? 'none'}${warning}`];
}

function list(what: string, versions: readonly string[]): string | undefined {
  if (versions.length === 0) return undefined;
  const more = versions.length > namedAtMost ? ` and ${versions.length - namedAtMost} more` : '';
  return `${what}: ${versions.slice(0, namedAtMost).join(', ')}${more}`;
}

function counted(count: number): string {
  return `${count} release${count === 1 ? '' : 's'}`;
}
