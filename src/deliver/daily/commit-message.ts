import { counted } from '../../core/text.ts';
import { newsKinds, type News, type NewsKind } from './news.ts';

const subjectLength = 72;

const verbs: Record<NewsKind, string> = {
  recorded: 'record',
  withdrawn: 'withdraw',
  'left out': 'leave out',
  returned: 'take back',
  deprecated: 'deprecate',
  corrected: 'correct',
  removed: 'remove',
};

/** A subject that sums up what changed, and a body that lists all of it. */
export function commitMessage(news: readonly News[], components: number): string {
  if (news.length === 0) return `Check ${counted(components, 'component')}: nothing new\n`;
  const named = subjectOf(news, nameVersions);
  const subject = named.length <= subjectLength ? named : subjectOf(news, countVersions);
  return `${subject}\n\n${news.map(bodyLine).join('\n')}\n`;
}

function subjectOf(news: readonly News[], say: typeof nameVersions): string {
  const parts = newsKinds.flatMap((kind) => {
    const concerned = news.filter((item) => item[kind].length > 0);
    return concerned.length === 0 ? [] : `${verbs[kind]} ${say(concerned, kind)}`;
  });
  const text = parts.join('; ');
  return text[0]!.toUpperCase() + text.slice(1);
}

function nameVersions(news: readonly News[], kind: NewsKind): string {
  return news.map((item) => `${item.component} ${item[kind].map(plain).join(', ')}`).join(', ');
}

function countVersions(news: readonly News[], kind: NewsKind): string {
  const count = news.reduce((sum, item) => sum + item[kind].length, 0);
  return `${counted(count, 'release')} of ${news.length === 1 ? news[0]!.component : counted(news.length, 'component')}`;
}

function bodyLine(item: News): string {
  const parts = newsKinds
    .filter((kind) => item[kind].length > 0)
    .map((kind) => `${kind} ${item[kind].map(plain).join(', ')}`);
  // As an item of a list, no line is a trailer.
  return `- ${item.component}: ${parts.join('; ')}`;
}

/** Hosts act on some texts in a message: `[skip ci]`, `@someone`, `closes #1`. None is left of a version. */
function plain(version: string): string {
  return version.replaceAll(/[^\w.+~!: -]/g, '?');
}
