import { posix } from "node:path";
import { containerState } from "./container";
import { docker } from "./docker";
import { containerName } from "./names";
import { tar } from "./tar";

export interface MachineFile {
    /** Absolute, and not on a volume. */
    readonly path: string;
    readonly contents: string;
}

const off: readonly string[] = ["created", "exited", "dead"];

/** Whether a machine is certainly off, or does not exist. */
export async function isOff(cluster: string, name: string): Promise<boolean> {
    const found = await containerState(containerName(cluster, name));
    return found === undefined || off.includes(found.state);
}

/** Writes a file to the disk of a machine that is off, if it has ever booted, for its next boot. */
export async function leaveFile(cluster: string, name: string, { path, contents }: MachineFile): Promise<void> {
    const container = containerName(cluster, name);
    const found = await containerState(container);
    if (found === undefined || found.state === "created") return;
    const { dir, base } = posix.parse(path);
    const archive = tar([{ path: base, contents, mode: 0o600 }]);
    await docker(["cp", "-", `${container}:${dir}`], { input: archive });
}
