import type { Movable } from '../../ask/move.ts';
import { versionText } from '../../ask/version-answer.ts';
import { copyButton } from './copying.ts';
import { calmly, find, findAll, make, on, releaseRow, unfold } from './dom.ts';
import { failure, sayOf } from './fetched-index.ts';
import { askedIn, hashOf } from './release-address.ts';
import { andMore, maxShown } from './tables.ts';

/** The verdict on the version that somebody has, and what lies between it and the one to move to. */
export function setUpMine(form: HTMLFormElement, component: string): void {
  const mine = find<HTMLInputElement>('#mine-version');
  const target = find<HTMLInputElement>('#mine-target');
  const box = find('#mine-answer');
  const offered = findAll('.releases th a');
  find('#versions').append(...offered.map(({ textContent }) => make('option', { value: textContent })));
  const hash = () => {
    const version = mine.value.trim();
    return version && hashOf(version, target.value.trim());
  };

  const answer = calmly(async () => {
    const asked = hash();
    mark('');
    const shown = asked ? await answerTo(asked).catch((error: unknown) => [failure(error)]) : [];
    if (asked === hash()) box.replaceChildren(...shown);
  });

  // What is recommended stands there only until somebody writes something else.
  target.placeholder = target.value;
  target.value = '';
  form.hidden = false;
  on(form, 'submit', (event) => event.preventDefault());
  on(form, 'input', () => {
    history.replaceState(null, '', hash() || location.pathname);
    answer();
  });
  addEventListener('hashchange', readAddress);
  readAddress();

  function readAddress(): void {
    const asked = askedIn(location.hash);
    if (!asked) return;
    mine.value = asked.version;
    target.value = asked.target ?? '';
    answer();
  }

  async function answerTo(asked: string): Promise<(Node | string)[]> {
    const wanted = target.value.trim();
    const found = await sayOf(component, mine.value.trim(), wanted);
    const { version, moveTo, goal, between } = found;
    target.placeholder = moveTo?.version ?? '';
    mark(version);
    const link = make('a', { href: asked }, 'Address of this answer');
    return [
      make('p', {}, versionText(found)),
      ...(goal
        ? [
            make('p', {}, `From ${version} to ${goal.version}:`),
            make('ol', {}, ...notesOf([...between, goal])),
          ]
        : [wanted && make('p', {}, `There is no release ${wanted} to move to.`)]),
      make(
        'p',
        {},
        link,
        copyButton(link, 'the address', () => link.href),
      ),
    ];
  }
}

/** What lies between, each with its notes. */
function notesOf(passed: readonly Movable[]): HTMLElement[] {
  const notes = passed
    .slice(0, maxShown)
    .map(({ version, isDeprecated, changelogUrl: href }) =>
      make('li', {}, href ? make('a', { href }, version) : version, isDeprecated && ' deprecated'),
    );
  const more = andMore(passed.length - notes.length);
  return more ? [...notes, make('li', {}, more)] : notes;
}

/** Marks a release where it is in the page, and no other one. */
function mark(version: string): void {
  find('.mine')?.classList.remove('mine');
  const row = releaseRow(version);
  row?.classList.add('mine');
  unfold(row);
}
