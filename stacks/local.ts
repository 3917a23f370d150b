import type * as pulumi from "@pulumi/pulumi";
import { LocalCluster } from "../components/local/cluster";
import { checked } from "../components/pulumi/errors";
import { readConfig } from "./config";
import { builtImages, localDownloads } from "./downloads";
import type { LocalKeys } from "./options";
import { clusterOutputs, programOptions } from "./program-options";

/** Program of a `local` stack: a cluster on your machine. */
export function local(name: string): Record<string, pulumi.Input<unknown>> {
    const config = readConfig<LocalKeys>("LocalKeys");
    const { keepConntrackLimits = true, upgradeOverrides: given = [] } = config;
    // Set by a drill that destroyed the controllers.
    const isApiLost = process.env.TRADEWIND_WITHOUT_API === "true";
    // Set for a single run: `npm start -- --discard-local-data`.
    const discards = process.env.TRADEWIND_DISCARD_LOCAL_DATA === "true" ? (["local-data"] as const) : [];
    const upgradeOverrides = [...given, ...discards];
    const cluster = checked(() => {
        const downloads = localDownloads(name, { ...config, ...config.downloads });
        const images = { ...builtImages(config), ...config.images };
        const options = programOptions({ ...config, images, keepConntrackLimits, upgradeOverrides });
        return new LocalCluster(name, { ...options, downloads, isApiLost });
    });
    return clusterOutputs(cluster);
}
