import { createHash } from "node:crypto";
import type { Bundle, BundleEntry } from "../../ignition";

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
