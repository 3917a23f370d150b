import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Cluster } from "../../cluster/model";
import type { Controller } from "../reach/controller";
import { fetchSnapshot, newestSnapshot } from "../snapshot/on-controller";
import { bringFile } from "./begin";

/** The newest snapshot in the directories of machines that answer, copied to the machine that restores it. */
export async function bringNewest(
    { name: cluster, etcdSnapshots: { directory } }: Pick<Cluster, "name" | "etcdSnapshots">,
    target: Controller,
    others: readonly Controller[],
    say: (line: string) => void,
): Promise<string> {
    const newest = await newestSnapshot(cluster, [target, ...others], directory);
    if (newest === undefined) {
        const where = [target, ...others].map(({ name }) => name).join(", ");
        throw new Error(
            `no snapshot of ${cluster} was found: ${where} have none in ${directory}; pass --snapshot FILE`,
        );
    }
    const { machine, manifest } = newest;
    if (machine !== target) {
        const path = `${directory}/${manifest.name}`;
        await bringFile(target, `${path}.db`, await fetchSnapshot(machine, directory, manifest));
        await bringFile(target, `${path}.json`, Buffer.from(JSON.stringify(manifest)));
        say(`copied ${manifest.name} from ${machine.name}`);
    }
    return manifest.name;
}

/** When a snapshot was taken: by its name, which ends with a time, otherwise by its file. */
export function snapshotTime(snapshot: string): Date | undefined {
    const [, year, month, day, hour, minute, second] =
        /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:\.\d+)?)Z/.exec(basename(snapshot)) ?? [];
    const named = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (!Number.isNaN(named.getTime())) return named;
    return existsSync(snapshot) ? statSync(snapshot).mtime : undefined;
}

/** `taken at 2026-11-21T05:38:34Z, 2 h 5 min ago: what was written since then is lost` */
export function describeAge(taken: Date | undefined, now = new Date()): string {
    if (taken === undefined) return "taken at an unknown time: what was written since then is lost";
    const minutes = Math.max(0, Math.round((now.getTime() - taken.getTime()) / 60_000));
    const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
    const parts = [days && `${days} d`, hours && `${hours} h`, `${minutes % 60} min`].filter(Boolean);
    const at = taken.toISOString().replace(/\.\d+/, "");
    return `taken at ${at}, ${parts.join(" ")} ago: what was written since then is lost`;
}
