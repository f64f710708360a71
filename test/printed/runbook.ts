/** Compares messages with the messages in RUNBOOK. Values in them, such as dates and addresses, are ignored. */
import { expect } from 'vitest';
import { readBlocks } from './list.ts';

/** Replaces the values in a message, such as dates and addresses, with words. */
function generalize(message: string): string {
  return message
    .replaceAll(/\((?:json|npm):[^)]*\)|\b(?:a|npm:svc)(?= no longer lists)/g, 'SOURCE')
    .replaceAll(/ --to \S+/g, '')
    .replaceAll(/\bRW[\w+/]{54}/g, 'KEY')
    .replaceAll(/https?:\/\/[^\s"]+/g, 'ADDRESS')
    .replaceAll(/127\.0\.0\.1:\d+|api\.github\.com/g, 'HOST')
    .replaceAll(/RELEASE_INDEX_AUTH_\w+|GITHUB_TOKEN/g, 'VARIABLE')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'DAY')
    .replaceAll(/\/(?:[\w.-]+\/)*(?=\.git\/|data\/)|\/\S*\/(?:site|releases)\b/g, 'FOLDER')
    .replaceAll(/(?<=accept (?:svc|publication)-)\w+/g, 'ID')
    .replaceAll(/(?<=[Cc]ommit |source=|show )[\da-f]{7,}/g, 'COMMIT')
    .replaceAll(/\d+(?:\.\d+)*/g, 'N');
}

export const printed = readBlocks('.github/RUNBOOK.md', 'text').flatMap((block) =>
  block.split('\n'),
);
export const made = new Set<string>();

/** Checks that RUNBOOK has each line of a program's output. `…` in RUNBOOK stands for any words. */
export function expectPrinted(output: string): void {
  const lines = output.trimEnd().split('\n').map(generalize);
  for (const line of lines) {
    const found = printed.find((each) => {
      const [start = '', end = ''] = generalize(each).split('…');
      return each.includes('…') ? line.startsWith(start) && line.endsWith(end) : start === line;
    });
    expect(printed.map(generalize), line).toContain(found === undefined ? line : generalize(found));
    made.add(found!);
  }
}
