import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bundle, BundleEntry } from "../../ignition";
import { replaceLink, writeDurably } from "../common/durable";
import { assetsHash } from "./assets";
import { hashFile, type ReceiverPlan, unpackedFile } from "./plan";

/** Where things lie. */
export type Places = Pick<ReceiverPlan, "root" | "state" | "staticPods" | "kubeconfig">;

/**
 * Lays the assets where they belong, and then says so. A run that was killed is done again from the beginning.
 *
 * The kubelet reads static pods as they appear, so that those come last; and it was told how to join by then.
 */
export function unpack(assets: Bundle, plan: Places): void {
    const { entries, units } = assets;
    const onHost = (path: string) => join(plan.root, path);
    const isStaticPod = ({ path }: BundleEntry) => path.startsWith(`${plan.staticPods}/`);
    rmSync(onHost(plan.kubeconfig), { force: true });
    for (const { path, mode } of entries.filter((entry) => entry.path.endsWith("/"))) {
        mkdirSync(onHost(path), { recursive: true, mode: mode ?? 0o755 });
    }
    const files = entries.filter((entry) => !entry.path.endsWith("/"));
    for (const entry of [...files.filter((each) => !isStaticPod(each)), ...files.filter(isStaticPod)]) {
        // Half a static pod must not be seen, even under another name.
        place(entry, onHost(entry.path), isStaticPod(entry) ? { scratch: dirname(onHost(plan.staticPods)) } : {});
    }
    mkdirSync(onHost(plan.state), { recursive: true, mode: 0o700 });
    writeDurably(onHost(join(plan.state, hashFile)), assetsHash(assets));
    writeDurably(onHost(join(plan.state, unpackedFile)), `${units.join("\n")}\n`);
}

function place({ mode, contents, link }: BundleEntry, target: string, scratch: { scratch?: string }): void {
    mkdirSync(dirname(target), { recursive: true });
    if (link !== undefined) {
        replaceLink(target, link);
        return;
    }
    const owner = { uid: process.getuid!(), gid: process.getgid!() };
    writeDurably(target, Buffer.from(contents ?? "", "base64"), { mode: mode ?? 0o644, owner, ...scratch });
}
