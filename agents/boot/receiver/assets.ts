import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bundle, BundleEntry } from "../../../ignition";
import { replaceLink, writeDurably } from "../../harness/durable";
import { hashFile, type ReceiverPlan, unpackedFile } from "./plan";

/** Path for uploading assets to a receiver. */
export const assetsPath = "/assets";

/** HTTP status for assets that a machine does not take: its preflight found errors, which the message lists. */
export const unfitStatus = 412;

/** Path for the progress of a bootstrap that has its assets. */
export const progressPath = "/standing";

/** Progress of a bootstrap that has no API yet. */
export interface ReportedProgress {
    /** Its step and that step's last message: `step wait-for-api is not done: …`. */
    readonly stage: string;
    /** The last log lines of units and containers. */
    readonly lastLines: string;
}

/** Identifies a set of assets. */
export function assetsHash(assets: Bundle): string {
    return createHash("sha256").update(JSON.stringify(assets)).digest("hex");
}

/**
 * The group of the administrator's certificate, which is required to upload assets. kube-apiserver's own client is in
 * it too.
 */
export const administrators = "system:masters";

/** The assets in a request's body. Throws an error that says what is wrong with them. */
export function parseAssets(text: string): Bundle {
    const assets = JSON.parse(text) as Bundle;
    const isList = Array.isArray(assets?.entries) && Array.isArray(assets.units) && assets.entries.length > 0;
    if (!isList || !assets.entries.every(isEntry) || !assets.units.every((unit) => /^[\w@.-]+$/.test(unit))) {
        throw new Error("the assets must be entries with absolute paths, and unit names");
    }
    return assets;
}

function isEntry({ path, mode, contents, link }: BundleEntry): boolean {
    const isPlain = typeof path === "string" && /^(\/[\w.@:-]+)+\/?$/.test(path) && !/\/\.\.?(\/|$)/.test(path);
    const isText = (value: unknown) => value === undefined || typeof value === "string";
    return isPlain && isText(contents) && isText(link) && (mode === undefined || Number.isInteger(mode));
}

/** Paths on the host. */
type Places = Pick<ReceiverPlan, "root" | "state" | "staticPods" | "kubeconfig">;

/**
 * Installs the assets and then records that. A killed run starts over.
 *
 * Static pods come last, since the kubelet starts them as they appear, and by then it must be able to join.
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
        // A partial static pod must not be visible, not even under another name.
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
