import { compileFunction } from 'node:vm';
import type { SiteTheme } from '../site-context.ts';
import { loadCompiler } from './handlebars.ts';

/** By name: what `template` of the runtime takes, or why Handlebars could not compile it, which matters only where it is used. */
export type CompiledTemplates = ReadonlyMap<string, TemplateSpecification | string>;

/**
 * A misspelt field throws (`strict`), everything is escaped, and the lines inside `pre` keep their beginnings
 * (`preventIndent`). Without helpers of our own a template can show and repeat, not decide.
 */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

/** The templates of a theme, compiled. */
export function compiledTemplates({ templates }: SiteTheme): CompiledTemplates {
  const code = compile(templates);
  const exports = {};
  compileFunction(code, ['exports'])(exports);
  return templatesIn(exports);
}

function templatesIn(exports: unknown): CompiledTemplates {
  return (exports as { templates: CompiledTemplates }).templates;
}

/** A CommonJS module that exports CompiledTemplates as `templates`. */
function compile(templates: SiteTheme['templates']): string {
  const { precompile } = loadCompiler();
  const entries = Array.from(templates, ([name, text]) => {
    const compiled = compileOne(() => precompile(text, options) as string);
    return `[${JSON.stringify(name)},${compiled}]`;
  });
  return `exports.templates = new Map([\n${entries.join(',\n')}\n]);\n`;
}

function compileOne(precompile: () => string): string {
  try {
    return precompile();
  } catch (error) {
    return JSON.stringify((error as Error).message);
  }
}
