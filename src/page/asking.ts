import { foundInWords } from '../answers/found.ts';
import { answerPublished } from '../answers/published-answers.ts';
import { versionText } from '../answers/version-answer.ts';
import { createSelection, rowOf } from '../query/catalogue.ts';
import { parseQuery } from '../query/parse.ts';
import { calmly, find, findAll, make, makeButton, on } from './dom.ts';
import { failure, index } from './fetched-index.ts';
import { foundTable, releaseAddress } from './found-table.ts';
import { readQuestion } from './question.ts';

const maxChoices = 10;

/** The box above the components: it finds them, tells the verdict on a version, and answers queries. */
export function setUpAsking(form: HTMLFormElement): void {
  const input = find<HTMLInputElement>('input', form);
  const status = find('#ask-answer');
  const results = find('#ask-results');
  const groups = findAll('#component-table tbody');
  const components = findAll('tr[data-component]').map((row) => {
    const name = row.dataset['component']!;
    const title = find('th a', row).textContent;
    return { row, name, title, text: `${name} ${title} ${row.dataset['description']}` };
  });
  const question = () => readQuestion(input.value.trim(), components);

  /** What cannot be told from the list alone. */
  const answer = calmly(async () => {
    const text = input.value;
    const { named, version, isQuery } = question();
    const isAsked = () => input.value === text;
    try {
      if (version && !named[1]) {
        const { name } = named[0]!;
        const details = await index.details(name);
        const found = await answerPublished(index, details, version);
        const link = make('a', { href: releaseAddress(name, found.version) }, 'Why, and what comes after it');
        if (isAsked()) say(versionText(found), link);
      } else if (isQuery && text) {
        const { asOf } = await index.status();
        const isSelected = createSelection(parseQuery(text, asOf), asOf);
        const found = (await index.catalogue()).filter(isSelected).map(rowOf);
        if (!isAsked() || (!found[0] && !named[0])) return;
        show(new Set(found.map(({ component }) => component as string)));
        say(`${foundInWords(found)} Verdicts of ${asOf}.`, ...foundTable(found));
      }
    } catch (error) {
      if (!isAsked()) return;
      show(new Set(components.map(({ name }) => name)));
      say(failure(error));
    }
  });

  form.hidden = false;
  on(input, 'input', ask);
  on(input, 'keydown', ({ key }) => {
    if (key === 'Escape') askFor('');
  });
  on(form, 'submit', (event) => {
    event.preventDefault();
    const { named, version, isQuery } = question();
    const [only, second] = named;
    if (!only || second || isQuery) return;
    location.assign(version ? releaseAddress(only.name, version) : `${only.name}.html`);
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) askFor(asked);

  function askFor(text: string): void {
    input.value = text;
    ask();
  }

  function ask(): void {
    const text = input.value.trim();
    const { named, version, isQuery } = question();
    history.replaceState(null, '', text ? `?q=${encodeURIComponent(text)}` : location.pathname);
    show(new Set(named.map(({ name }) => name)));
    if (version && named[1]) {
      const choices = named.slice(0, maxChoices).map(({ name }) => `${name} ${version}`);
      const links = choices.map((choice) => make('a', { href: `?q=${encodeURIComponent(choice)}` }, choice));
      say('Which one?', make('ul', { className: 'chips' }, ...links.map((link) => make('li', {}, link))));
    } else if (!text || version || (isQuery && named[0])) say('');
    else
      say(named[0] ? `${named.length} of ${components.length} components match.` : 'No component matches.');
    answer();
  }

  /** Shows these components and no others. */
  function show(names: ReadonlySet<string>): void {
    for (const { row, name } of components) row.hidden = !names.has(name);
    for (const group of groups) group.hidden = !find('[data-component]:not([hidden])', group);
  }

  function say(text: string, ...found: Node[]): void {
    const isEmpty = groups.every(({ hidden }) => hidden);
    status.textContent = text;
    results.replaceChildren(
      ...found,
      ...(isEmpty ? [makeButton('', 'Show all components', () => askFor(''))] : []),
    );
  }
}
