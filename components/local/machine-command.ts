import { ownProgram } from "../pulumi/own-program";

/** Shell command for a verb of the machines CLI. */
export function machineCommand(verb: string, options: Record<string, string>): string {
    const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
    return `${ownProgram("machines/cli")} ${verb}${flags.join("")}`;
}
