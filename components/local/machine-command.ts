import { dirname, join, relative, resolve } from "node:path";

/**
 * The shell command that runs a verb of the machines' command line.
 *
 * Relative to the program's directory, where Pulumi runs plugins too, so that a moved checkout shows
 * no difference in preview.
 */
export function machineCommand(verb: string, options: Record<string, string>): string {
    const isSource = __filename.endsWith(".ts");
    const cli = join(resolve(dirname(__filename), "../../machines"), isSource ? "cli.ts" : "cli.js");
    const loader = isSource ? "--require tsx/cjs " : "";
    const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
    return `node ${loader}${relative(process.cwd(), cli)} ${verb}${flags.join("")}`;
}
