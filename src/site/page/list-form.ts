import { find, findAll, ignoreFailure, keepPlace, on } from './dom.ts';
import type * as Plans from './plan/plan-page.ts';
import { describeFailure, loadScript, readDocumentText } from './site-index.ts';

/** The form of the page My versions. Loads the script that makes plans with the first list. */
export function setUpList(form: HTMLFormElement): void {
  const text = find<HTMLTextAreaElement>('#list-text');
  const fileInput = find<HTMLInputElement>('#list-input');
  form.hidden = false;
  on(form, 'submit', (event) => {
    event.preventDefault();
    void showText(text.value);
  });
  on(find('#list-file'), 'click', () => fileInput.click());
  on(fileInput, 'change', () => void showFile(fileInput.files?.[0]));
  on(form, 'dragover', (event) => event.preventDefault());
  on(form, 'drop', (event) => {
    event.preventDefault();
    void showFile((event as DragEvent).dataTransfer?.files[0]);
  });
  addEventListener('hashchange', () => void showAddress());
  void showAddress();
}

/** Shows the plan of a file, whose content takes the place of the text. A dropped folder cannot be read. */
async function showFile(file: File | undefined): Promise<void> {
  if (!file) {
    return;
  }

  const text = find<HTMLTextAreaElement>('#list-text');
  try {
    text.value = await file.text();
  } catch (error) {
    find('#plan-read').textContent = `${file.name} cannot be read: ${(error as Error).message}`;
    return;
  }

  await showText(text.value);
}

async function showText(content: string): Promise<void> {
  await showPlan((plans) => plans.showText(content));
  find('h1').focus();
}

/** Shows the plan of a list in the address, `#c=…`. */
async function showAddress(): Promise<void> {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    await showPlan((plans) => plans.showAddress(list));
  }
}

/** Hides the page until `show` ends. It returns false if a later list took its place: the call for that list shows the page again. */
async function showPlan(show: (plans: typeof Plans) => Promise<boolean>): Promise<void> {
  // Load the document together with the script that reads it.
  ignoreFailure(readDocumentText('status.json'));
  keepPlace();
  // A plan moves all of the page.
  setHidden(true);

  try {
    const plans = await loadScript<typeof Plans>('./plan.js');
    if (!(await show(plans))) {
      return;
    }
  } catch (error) {
    find('#plan-read').textContent = describeFailure(error as Error);
  }

  setHidden(false);
  find('.place').replaceChildren();
}

/** Hides or shows the page, other than the place of a plan. */
function setHidden(isHidden: boolean): void {
  for (const part of findAll('main > :not(.place)')) {
    part.hidden = isHidden;
  }
}
