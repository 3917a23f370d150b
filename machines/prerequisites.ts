import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that local machines need on this computer. */
export interface Prerequisite {
    readonly command: string;

    /** What it is for, as in "docker (runs the machines)". */
    readonly purpose: string;

    /** Its Debian package. */
    readonly debian: string;
}

const LINUX: readonly Prerequisite[] = [
    { command: "docker", purpose: "runs the machines", debian: "docker.io" },
    { command: "dockerd", purpose: "runs the machines", debian: "docker.io" },
    { command: "iptables", purpose: "makes the machines' networks", debian: "iptables" },
];

/**
 * What is missing on this computer to run machines, given that no engine is running yet.
 * Installing it is the caller's business.
 */
export function enginePrerequisites(): Prerequisite[] {
    return process.platform === "linux" ? LINUX.filter(({ command }) => !isInstalled(command)) : [];
}

/** True if the program is on PATH or where the system's own programs are. */
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
