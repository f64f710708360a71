/** Finds the images that a file of Compose, Kubernetes or Helm names. No zod and no Node: pages load it. */

type Values = Readonly<Record<string, string | undefined>>;

/** The keys beside each other at an indent. */
interface Block {
  readonly indent: number;
  readonly keys: { readonly name: string; readonly value: string; readonly line: number }[];
}

/** A key with its value, and the mark of an item before it: `  - image: "nginx:1.28"`. */
const keyForm = /^[\s-]*["']?(image|repository|registry|tag|digest)["']?:(?:\s+(.*))?$/;

/** The images by the number of the line that states them, or their repository. Undefined where it names none. */
export function listYamlImages(text: string): Map<number, string[]> | undefined {
  const images = new Map<number, string[]>();
  const blocks = new Set<Block>();
  let open: Block[] = [];
  for (const [index, content] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(content)) {
      continue;
    }

    // The mark of an item belongs to its indent, and begins another block.
    const [start] = /^[\s-]*/.exec(content)!;
    const indent = start.length;
    const around = open.filter((block) => block.indent < indent);
    const beside = start.includes('-') ? undefined : open.find((block) => block.indent === indent);
    open = beside ? [...around, beside] : around;

    const line = index + 1;
    const flow = listFlowImages(content);
    const [, name, stated] = keyForm.exec(content) ?? [];
    const value = readValue(stated);
    if (flow.length > 0) {
      images.set(line, flow);
    } else if (name === 'image' && value !== '') {
      images.set(line, [value]);
    } else if (name !== undefined) {
      const block = beside ?? { indent, keys: [] };
      block.keys.push({ name, value, line });
      blocks.add(block);
      open = [...around, block];
    }
  }

  for (const { keys } of blocks) {
    const image = nameImage(Object.fromEntries(keys.map(({ name, value }) => [name, value])));
    const repository = keys.find(({ name }) => name === 'repository');
    if (image !== undefined && repository) {
      images.set(repository.line, [image]);
    }
  }
  return images.size > 0 ? images : undefined;
}

/** `{ image: "nginx:1.28.0" }`, and `{repository: nginx, tag: 1.28.0}`. */
function listFlowImages(line: string): string[] {
  const [, ...maps] = line.split(/[{}]/);
  return maps.flatMap((map) => {
    const entries = map.split(',').map((entry) => entry.split(/:(.*)/, 2));
    const values = entries.map(([key = '', value]) => [
      key.replaceAll(/[\s"']/g, ''),
      readValue(value),
    ]);
    return nameImage(Object.fromEntries(values)) ?? [];
  });
}

/** Undefined for a repository alone, which may be of anything. */
function nameImage({ image, registry, repository, tag, digest }: Values): string | undefined {
  if (image) {
    return image;
  }
  if (!repository || (tag ?? digest) === undefined) {
    return undefined;
  }

  const name = registry ? `${registry}/${repository}` : repository;
  return `${name}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
}

/** Without its quotes and a comment behind it. */
function readValue(value = ''): string {
  const [, quoted, plain = ''] = /^\s*(?:["']([^"']*)["']|(.*?))(?:\s+#.*)?\s*$/.exec(value) ?? [];
  return quoted ?? plain;
}
