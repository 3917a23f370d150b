import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bundle, BundleEntry } from "../../../ignition";
import { replaceLink, writeDurably } from "../../harness/durable";
import { hashFile, type ReceiverPlan, unpackedFile } from "./plan";

/** Where a receiver takes assets. */
export const assetsPath = "/assets";

/** Where it says how far a bootstrap is that has them. */
export const standingPath = "/standing";

/** Of a bootstrap without an API. */
export interface ToldStanding {
    /** Its step and what that said last: `its step wait-for-api is not done: …`. */
    readonly stage: string;
    /** The last lines of units and containers. */
    readonly lastLines: string;
}

/** By which assets are told from others. */
export function assetsHash(assets: Bundle): string {
    return createHash("sha256").update(JSON.stringify(assets)).digest("hex");
}

/**
 * The group of the administrator's certificate: whoever brings assets has to be one of them. kube-apiserver counts itself in.
 */
export const administrators = "system:masters";

/** The assets of a request's body, or an error that says what is wrong with them. */
export function parseAssets(text: string): Bundle {
    const assets = JSON.parse(text) as Bundle;
    const isList = Array.isArray(assets?.entries) && Array.isArray(assets.units) && assets.entries.length > 0;
    if (!isList || !assets.entries.every(isEntry) || !assets.units.every((unit) => /^[\w@.-]+$/.test(unit))) {
        throw new Error("the assets must be entries with absolute paths, and units' names");
    }
    return assets;
}

function isEntry({ path, mode, contents, link }: BundleEntry): boolean {
    const isPlain = typeof path === "string" && /^(\/[\w.@:-]+)+\/?$/.test(path) && !/\/\.\.?(\/|$)/.test(path);
    const isText = (value: unknown) => value === undefined || typeof value === "string";
    return isPlain && isText(contents) && isText(link) && (mode === undefined || Number.isInteger(mode));
}

/** Where things lie. */
type Places = Pick<ReceiverPlan, "root" | "state" | "staticPods" | "kubeconfig">;

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
