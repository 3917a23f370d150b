import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that local machines need on the host. */
export interface Prerequisite {
    readonly command: string;

    /** Its purpose, as in "docker (runs the machines)". */
    readonly purpose: string;

    /** Its Debian package. */
    readonly debian: string;
}

const LINUX: readonly Prerequisite[] = [
    { command: "docker", purpose: "runs the machines", debian: "docker.io" },
    { command: "dockerd", purpose: "runs the machines", debian: "docker.io" },
    { command: "iptables", purpose: "sets up the machines' networks", debian: "iptables" },
];

/** What is missing on the host to run machines while no engine is running. Installing it is up to the caller. */
export function enginePrerequisites(): Prerequisite[] {
    return process.platform === "linux" ? LINUX.filter(({ command }) => !isInstalled(command)) : [];
}

/** True if the program is on PATH or in a system directory. */
export function isInstalled(command: string): boolean {
    const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin", "/usr/bin"];
    return folders.some((folder) => {
        try {
            accessSync(join(folder, command), constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}
