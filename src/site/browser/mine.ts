/** Answers lists and bills of materials with verdicts, the most urgent ones first. */
import { describeList, isDue, sortEntries, type JudgedList } from '../../ask/judged-list.ts';
import { readList } from '../../ask/read-list.ts';
import { describeObstacle } from '../../ask/verdicts.ts';
import type { Verdict } from '../../core/schema/documents.ts';
import {
  createElement,
  createLink,
  findAddress,
  findEntries,
  loadNames,
  type Answer,
} from './find.ts';

/** An address with more entries would be too long to send. */
const maxOthers = 200;

export async function answerList(text: string): Promise<Answer> {
  const names = await loadNames();
  const { items, problems } = readList(text, names);
  const entries = await findEntries(items, names);
  const notRead = problems.map(({ message }) => message);
  const list = sortEntries(entries, notRead);
  const unread = problems.map(({ entry }) => entry);
  return { content: draw(list), address: `#c=${writeList(list, unread)}` };
}

/** Writes the list for a link, with entries that are unknown or could not be read. If there are many of those, only with entries of this index. */
function writeList(list: JudgedList, unread: readonly string[]): string {
  const { judged, unjudged, unversioned, others } = list;
  const matched = [...judged, ...unjudged];
  const own = matched.map(({ match }) => `${match.component}@${encodeURIComponent(match.version)}`);
  const rest = [...[...unversioned, ...others].map(({ item }) => item.text), ...unread];
  const kept = rest.length > maxOthers ? own : [...own, ...rest.map(encodeURIComponent)];
  return kept.join(',');
}

function draw(list: JudgedList): HTMLElement[] {
  const remark = createElement('p', describeList(list), 'note');
  if (list.notRead.length > 0) {
    remark.append(' ', createLink('use.html#lists', 'Commands for your tool'));
  }
  const rows = createElement('ul', '', 'rows');
  rows.append(...[...list.judged, ...list.unjudged].map(drawResult), ...drawOthers(list));
  return [createElement('h2', countDue(list)), remark, rows];
}

/** `3 of 5 need action, 2 not judged`. */
function countDue({ judged, total, gaps }: JudgedList): string {
  const { length } = judged;
  if (length === 0) {
    return 'Nothing was judged';
  }

  const due = judged.filter(({ match }) => isDue(match.verdict)).length;
  const verb = due === 1 ? 'needs' : 'need';
  const calm = gaps.length === 0 ? 'No action is needed' : 'No judged entry needs action';
  const action = due === 0 ? calm : `${due} of ${length} ${verb} action`;
  return total > length ? `${action}, ${total - length} not judged` : action;
}

function drawResult(entry: JudgedList['unjudged'][number]): HTMLElement {
  const { component, title, version, verdict } = entry.match;
  const words = verdict ? `${verdict.sentence} ${verdict.advice}` : describeObstacle(entry);
  const name = createElement('span');
  name.append(createLink(findAddress(component, version), `${title} ${version}`.trim()));
  const row = createElement('li', '', `tone-${findTone(verdict)}`);
  row.append(
    name,
    createElement('span', verdict?.label ?? 'No verdict', 'status side'),
    createElement('p', words, 'verdict'),
    createElement('p', verdict?.because.join(' '), 'note'),
  );
  return row;
}

/** Draws a row for each entry that is not of this index, and for each line that was not read. */
function drawOthers({ unversioned, others, notRead }: JudgedList): HTMLElement[] {
  const rows = [
    ...unversioned.map((entry) => [entry.item.text, 'No verdict', describeObstacle(entry)]),
    ...others.map(({ item }) => [item.text, 'Not in this index', '']),
    ...notRead.map((line) => [line, 'Not read', '']),
  ];
  return rows.map(([text, state, reason]) => {
    const row = createElement('li', '', 'tone-none');
    row.append(createElement('span', text), createElement('span', state, 'status side'));
    if (reason) {
      row.append(createElement('p', reason, 'verdict'));
    }
    return row;
  });
}

function findTone(verdict?: Verdict): string {
  if (isDue(verdict)) {
    return verdict?.moveBy ? 'soon' : 'gone';
  }

  return verdict?.isSupported ? 'ok' : 'none';
}
