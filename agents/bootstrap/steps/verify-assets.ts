import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readManifests, readObjects } from "../manifests";
import type { BootstrapPlan } from "../plan";
import type { Step } from "../run";

/** Everything is there and can be read, before anything is changed. */
export const verifyAssets: Step = {
    name: "verify-assets",
    run: async ({ plan }) => {
        const { assets } = plan.directories;
        const missing = requiredFiles(plan).filter((path) => !existsSync(join(assets, path)));
        if (missing.length > 0) {
            throw new Error(`${assets} must hold ${missing.join(", ")}`);
        }
        for (const { manifest } of plan.temporary) {
            readObjects(join(assets, manifest));
        }
        const groups = readManifests(join(assets, "manifests"));
        // Manifests hold Secrets too.
        const fixed = ["secrets", "manifests"].flatMap((directory) => fixModes(join(assets, directory)));
        const count = groups.reduce((sum, { objects }) => sum + objects.length, 0);
        const modes = fixed.length > 0 ? `; made private: ${fixed.join(", ")}` : "";
        return `${plan.temporary.length} static pods, ${count} objects in ${groups.length} groups${modes}`;
    },
};

function requiredFiles({ credentials, temporary }: BootstrapPlan): string[] {
    const { ca, cert, key } = credentials;
    return ["secrets", "manifests", ca, cert, key, ...temporary.map(({ manifest }) => manifest)];
}

/** Takes away what anyone but root may do. Returns the paths that were open. */
function fixModes(path: string): string[] {
    const status = statSync(path);
    const mode = status.isDirectory() ? 0o700 : 0o600;
    const isOpen = (status.mode & 0o777 & ~mode) !== 0;
    if (isOpen) {
        chmodSync(path, mode);
    }
    const inside = status.isDirectory() ? readdirSync(path).flatMap((name) => fixModes(join(path, name))) : [];
    return [...(isOpen ? [path] : []), ...inside];
}
