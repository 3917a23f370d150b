import { assertValid, type Config, merge, toCloudInit } from "../../ignition";
import type { NodeDownloads } from "../downloads";
import { placeholderCredentials } from "../manifests/control-plane/placeholder";
import type { Cluster } from "../model";
import { bootstrapAssets } from "./bootstrap/assets";
import { controllerConfig } from "./controller";
import { workerConfig } from "./worker";

/**
 * Throws if snippets that are valid by themselves make a config that Ignition would refuse, or that cloud-init cannot
 * have.
 *
 * The secrets of a config are only known during `up`; its shape is known, and checked, at preview.
 */
export function checkConfigs(cluster: Cluster, downloads: NodeDownloads, os = "ignition"): void {
    const inForm = (config: Config) => {
        if (os === "cloud-init") toCloudInit(config);
        return config;
    };
    const options = (name: string) => ({
        machine: { name, address: "192.0.2.1" },
        downloads,
        ca: "",
        bootstrapToken: "",
    });
    check("controllers.snippets", () => {
        const first = options(cluster.controllers.names[0]!);
        const secrets = placeholderCredentials(cluster);
        // The assets are added to the config later, so nothing may conflict with them.
        const assets = bootstrapAssets(cluster, {
            machine: first.machine,
            secrets,
            agent: "",
            checkpointer: "",
            nodeApprover: "",
        });
        return merge(assets, inForm(controllerConfig(cluster, first)));
    });
    for (const [index, pool] of cluster.workerPools.entries()) {
        check(`workerPools[${index}].snippets`, () => inForm(workerConfig(cluster, pool, options(pool.name))));
    }
}

function check(option: string, build: () => Config): void {
    try {
        assertValid(build());
    } catch (error) {
        throw new Error(`${option} must fit the generated config: ${(error as Error).message}`);
    }
}
