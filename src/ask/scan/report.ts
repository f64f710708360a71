import { addDays, type Day } from '../../core/dates.ts';
import { accountSentence, type Account } from './account.ts';
import { isForeign, type ScannedItem } from './scan-items.ts';

/** Days that are soon enough to plan for. */
const soonDays = 90;

const headings = ['In use', 'Supported until', 'Status', 'Move to', 'Found in'];

/** For people who plan: what is used, until when it is supported, and what ends next. Markdown. */
export function reportOf(scanned: readonly ScannedItem[], account: Account, day: Day): string {
  const known = scanned.filter(({ scan }) => !isForeign(scan));
  const endOf = ({ scan }: ScannedItem) => scan.details.supportedUntil ?? '9999';
  const byEnd = known.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : 0));
  const soon = addDays(day, soonDays);
  const sections = [
    { title: 'Support has ended', has: (end: string) => end <= day },
    { title: `Support ends within ${soonDays} days`, has: (end: string) => end > day && end <= soon },
    { title: 'Support ends later', has: (end: string) => end > soon && end < '9999' },
    { title: 'No end of support is stated', has: (end: string) => end === '9999' },
  ].map(({ title, has }) => ({ title, rows: byEnd.filter((item) => has(endOf(item))).map(rowOf) }));
  const tables = sections.flatMap(({ title, rows }) => {
    if (rows.length === 0) return [];
    const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(markdown))];
    return `## ${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
  });
  return [`# Releases in use on ${day}\n\n${markdown(accountSentence(account))}.\n`, ...tables].join('\n');
}

function rowOf({ policy, scan }: ScannedItem): string[] {
  const { thing, status, file = '', line, details } = scan;
  const { component, version, supportedUntil = '', moveTo, exception } = details;
  const name = component === undefined ? thing : [component, version].filter(Boolean).join(' ');
  const until = status === 'excepted' ? `${status} until ${exception?.until}` : status;
  const target = moveTo ? [moveTo.component, moveTo.version].filter(Boolean).join(' ') : '';
  return [
    name,
    supportedUntil,
    `${until} (${policy.name})`,
    target,
    line === undefined ? file : `${file}:${line}`,
  ];
}

function markdown(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ');
  const escaped = line.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
  return escaped.replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (mark) => `\\${mark}`);
}
