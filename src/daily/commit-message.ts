import { counted } from '../text.ts';
import { newsKinds, type News, type NewsKind } from './news.ts';

const subjectLength = 72;

const verbs: Record<NewsKind, string> = {
  recorded: 'record',
  withdrawn: 'withdraw',
  returned: 'take back',
  deprecated: 'deprecate',
  corrected: 'correct',
  removed: 'remove',
};

/** The history of `data/` is the history of the index: a subject that names what changed, and a body that names all of it. */
export function commitMessage(news: readonly News[], components: number): string {
  if (news.length === 0) return `${checked(components)}: nothing new\n`;
  const named = subjectOf(news, nameVersions);
  const subject = named.length <= subjectLength ? named : subjectOf(news, countVersions);
  return `${subject}\n\n${news.map(bodyLine).join('\n')}\n`;
}

function subjectOf(news: readonly News[], tell: typeof nameVersions): string {
  const parts = newsKinds.flatMap((kind) => {
    const concerned = news.filter((item) => item[kind].length > 0);
    return concerned.length === 0 ? [] : `${verbs[kind]} ${tell(concerned, kind)}`;
  });
  const text = parts.join('; ');
  return text[0]!.toUpperCase() + text.slice(1);
}

function nameVersions(news: readonly News[], kind: NewsKind): string {
  return news.map((item) => `${item.component} ${item[kind].join(', ')}`).join(', ');
}

function countVersions(news: readonly News[], kind: NewsKind): string {
  const releases = counted(
    news.reduce((sum, item) => sum + item[kind].length, 0),
    'release',
  );
  return `${releases} of ${news.length === 1 ? news[0]!.component : counted(news.length, 'component')}`;
}

function bodyLine(item: News): string {
  const parts = newsKinds
    .filter((kind) => item[kind].length > 0)
    .map((kind) => `${kind} ${item[kind].join(', ')}`);
  return `${item.component}: ${parts.join('; ')}`;
}

function checked(components: number): string {
  return `Check ${counted(components, 'component')}`;
}
