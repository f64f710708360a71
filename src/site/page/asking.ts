import { describeFailure, readDocumentText } from './site-documents.ts';
import { loadAnswers } from './load-answers.ts';
import { find, findAll, make, on, releaseRow } from './dom.ts';
import { askedIn } from './release-address.ts';

/**
 * Makes the forms for questions answer on the same page. The script that answers is loaded with the first question. If that
 * fails, the form opens the start page.
 */
export function setUpAsking(component: string | undefined): void {
  const forms = findAll<HTMLFormElement>('.question form, .finder, #mine');

  const load = (form: HTMLFormElement) => {
    const output = find('output', form);
    output.textContent = '';

    return loadAnswers().then(
      ({ boxOf }) => boxOf(form, form.id === 'mine' ? component : undefined),
      (error: Error) => void output.append(describeFailure(error)),
    );
  };

  for (const form of forms) {
    form.hidden = false;
    form.append(make('output'));

    const input = find<HTMLInputElement>('input', form);

    input.role = 'combobox';
    input.ariaExpanded = 'false';
    input.ariaAutoComplete = 'list';

    on(input, 'focus', () => {
      // Load the documents together with the script that reads them.
      readDocumentText('status.json').catch(() => {});

      void load(form);
    });

    on(form, 'submit', async (event) => {
      event.preventDefault();
      await (await load(form))?.answer();
    });
  }

  const [first] = forms;
  if (!first) {
    return;
  }

  const namesForm = find<HTMLFormElement>('#mine');

  const openAddress = async (isFirst = false) => {
    const text = questionIn(location) ?? (namesForm ? questionOfRow() : undefined);
    const form = namesForm && /^v?\d/i.test(text ?? '') ? namesForm : first;

    if (text !== undefined) {
      await (await load(form))?.answer(text);
    } else if (!isFirst) {
      for (const each of forms) {
        await (await load(each))?.clear();
      }
    }
  };

  addEventListener('popstate', () => void openAddress());

  on(document, 'click', async (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?q="]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }

    event.preventDefault();
    await (await load(first))?.answer(questionIn(link), true);
  });

  void openAddress(true);
}

function questionIn({ search }: Location | HTMLAnchorElement): string | undefined {
  return new URLSearchParams(search).get('q') || undefined;
}

/** The question in an address `#v…`: a release without a row on the page, or two releases. */
function questionOfRow(): string | undefined {
  const { version, target } = askedIn(location.hash) ?? {};
  if (version === undefined) {
    return undefined;
  }

  if (target !== undefined) {
    return `${version} to ${target}`;
  }

  return releaseRow(version) ? undefined : version;
}
