import { existsSync, renameSync, rmSync } from 'node:fs';
import { didYouMean } from '../../core/text/nearest.ts';
import { componentNameProblem } from '../../core/schemas/definition/component-name.ts';
import { valueOf } from '../../io/files/read-documents.ts';
import { lock } from '../../io/files/lock.ts';
import { definitionPath, freshnessPath, journalPath } from '../../io/files/root.ts';
import { listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import { formatDocument, readIfThere, saveUnlessMoved } from '../../io/files/save.ts';
import { readWrittenDefinition, WrittenDefinition } from '../../record/read-definition.ts';
import { confirm, flag, shared, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { inputError } from '../../core/schemas/finding.ts';

const optionTable = {
  yes: flag('write without asking; needed where there is no terminal'),
  'dry-run': flag('show what would change, and write nothing'),
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { required: ['old', 'new'] },
  options: optionTable,
  details: [
    'Moves definition, recorded releases and freshness; the next run moves the journal. The files for programs stay published',
    'under the old name, and the old page points to the new one. Components that name it in "replacedBy" follow.',
    'Asks, and writes all files or none. Commit them: the next run records the change.',
  ],
  examples: [['rename svc server', 'svc.json stays published, with the same releases']],
  run,
};

async function run(invocation: Invocation<Options>): Promise<number> {
  const { root, day, report, options } = invocation;
  const [component = '', name = ''] = invocation.arguments;

  rejectNames(root, component, name);

  const followers = findFollowers(root, component);

  report.print(`${component}: is called ${name} from now on. Its files stay published under both.`);
  report.print(...followers.map((other) => `${other}: is replaced by ${name}.`));

  const isDryRun = options['dry-run'] === true;
  const isWritten = !isDryRun && (await confirm(invocation, 'Write this?'));

  if (isWritten) {
    await write(root, component, name, followers);
    report.print(
      'Written. Look at the change, and commit it: git diff, git add --all components data',
    );
  }

  report.document({ verb: 'rename', asOf: day, component, name, isWritten });

  return isWritten || isDryRun ? 0 : 1;
}

function rejectNames(root: Root, component: string, name: string): void {
  const { names } = listComponents(root);
  if (!names.includes(component)) {
    const near = didYouMean(component, names);
    throw inputError(component, `there is no component of this name.${near}`);
  }

  const wrong = componentNameProblem(name);
  if (wrong !== undefined) {
    throw new UsageError(wrong);
  }

  const paths = [definitionPath, recordedPath, journalPath];
  const hasFiles = paths.some((path) => existsSync(path(root, name)));
  const heir = names.find((one) =>
    readWrittenDefinition(root, one).value?.renamedFrom?.includes(name),
  );
  if (hasFiles || heir !== undefined) {
    const owner = heir ?? 'another component';
    throw inputError(name, `is already a name of ${owner}. Nothing was written`);
  }
}

/** The components that name this one in `replacedBy`. */
function findFollowers(root: Root, component: string): string[] {
  return listComponents(root).names.filter(
    (other) => valueOf(readWrittenDefinition(root, other)).replacedBy === component,
  );
}

/** Writes under the lock on data/. Does not overwrite changes that a person or another run made meanwhile. */
async function write(
  root: Root,
  component: string,
  name: string,
  followers: readonly string[],
): Promise<void> {
  const unlock = await lock(root, 'data');
  try {
    const definition = valueOf(readWrittenDefinition(root, component));
    const renamedFrom = [...(definition.renamedFrom ?? []), component];

    const files = [
      replacement(definitionPath(root, name), { ...definition, renamedFrom }),
      ...followers.map((other) => {
        const value = valueOf(readWrittenDefinition(root, other));
        return replacement(definitionPath(root, other), { ...value, replacedBy: name });
      }),
    ];
    if (!saveUnlessMoved(files)) {
      throw inputError(component, 'was changed by another run meanwhile. Run it again');
    }

    for (const path of [recordedPath, freshnessPath]) {
      if (existsSync(path(root, component))) {
        renameSync(path(root, component), path(root, name));
      }
    }

    rmSync(definitionPath(root, component));
  } finally {
    unlock();
  }
}

function replacement(path: string, definition: WrittenDefinition) {
  const content = formatDocument(WrittenDefinition.parse(definition));
  return { path, before: readIfThere(path), content };
}
