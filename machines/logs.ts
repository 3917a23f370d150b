import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContainerState, containerStates } from "./container";
import { docker } from "./docker";
import { filters, MACHINE } from "./names";

/** Commands run in each machine, and the file that receives the output. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
    "journal.log": ["journalctl", "--no-pager", "--output", "short-precise"],
    "units.txt": ["systemctl", "--no-pager", "--all", "list-units"],
    "containers.txt": ["ctr", "-n", "k8s.io", "containers", "ls"],
    "addresses.txt": ["ip", "address"],
    "routes.txt": ["ip", "route", "show", "table", "all"],
    "bootstrap-stages.jsonl": ["cat", "/var/lib/tradewind/bootstrap/stages.jsonl"],
};

/**
 * Saves the logs and state of a cluster's machines and services into a folder, one subfolder each; resolves to their
 * names.
 */
export async function collectLogs(cluster: string, into: string): Promise<string[]> {
    const containers = await containerStates(filters(cluster));
    await Promise.all(containers.map((container) => collectFrom(container, into)));
    return containers.map(({ name }) => name);
}

async function collectFrom({ name, role, labels, state }: ContainerState, into: string): Promise<void> {
    const folder = join(into, labels[MACHINE] ?? role);
    await mkdir(folder, { recursive: true });
    const save = async (file: string, args: readonly string[]) => {
        // One failure must not keep the rest from being saved.
        const answer = await docker(args, { timeout: 60_000, withErrors: true }).catch(
            (error: Error) => `${error.message}\n`,
        );
        await writeFile(join(folder, file), answer);
    };
    await save("console.log", ["logs", "--timestamps", name]);
    if (role !== "machine") {
        return;
    }
    if (state === "running") {
        await Promise.all(Object.entries(QUESTIONS).map(([file, question]) => save(file, ["exec", name, ...question])));
    }
    // From outside, so that it also works for a machine that is off.
    await docker(["cp", "--follow-link", `${name}:/var/log/pods`, join(folder, "pods")]).catch(() => undefined);
}
