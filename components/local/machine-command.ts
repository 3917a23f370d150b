import { ownProgram } from "../pulumi/own-program";

/** The shell command that runs a verb of the machines' command line. */
export function machineCommand(verb: string, options: Record<string, string>): string {
    const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
    return `${ownProgram("machines/cli")} ${verb}${flags.join("")}`;
}
