import { basename } from "node:path";

/** What decides which stacks a change touches. Paths are from the root of the repository. */
export interface Project {
    /** The folder of Pulumi.yaml: `""` is the root. */
    readonly folder: string;
    /** The folder of the stacks' configurations. */
    readonly configs: string;
    /** Further files and folders of the program. */
    readonly programs: readonly string[];
}

/** The stacks that a change touches: those whose configuration it changes, or all where it changes the program. */
export function touchedStacks(stacks: readonly string[], changed: readonly string[], project: Project): string[] {
    const isWithin = (path: string, folder: string) =>
        folder === "" || path === folder || path.startsWith(`${folder}/`);
    const places = [project.folder, project.configs, ...project.programs];
    const own = changed.filter((path) => places.some((place) => isWithin(path, place)) && !path.endsWith(".md"));
    const stackOf = (path: string) =>
        path.slice(0, -basename(path).length).replace(/\/$/, "") === project.configs
            ? stackOfFile(basename(path))
            : undefined;
    // A configuration that is gone is one of no stack here, and no program either.
    const isProgram = own.some((path) => stackOf(path) === undefined);
    return isProgram ? [...stacks] : stacks.filter((stack) => own.some((path) => stackOf(path) === stack));
}

/** `Pulumi.<stack>.yaml` */
export function stackOfFile(name: string): string | undefined {
    return /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1];
}
