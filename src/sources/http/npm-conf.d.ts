/** npm's configuration; the package has no types. */
declare module '@pnpm/npm-conf' {
  export default function npmConf(): {
    config: { snapshot: Record<string, unknown>; root: Record<string, unknown> };
    warnings: string[];
  };
}
