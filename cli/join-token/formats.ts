import { stringify } from "yaml";
import { paths } from "../../cluster/paths";
import { assertValid, type Config, render as renderIgnition, toCloudInit, toScript } from "../../ignition";

/** Forms of a machine's config: for its first boot, or a script for root on an installed machine. */
export const formats = ["command", "cloud-init", "butane", "ignition"] as const;

export type Format = (typeof formats)[number];

/** @param cluster - its name */
export function render(format: Format, config: Config, cluster: string): string {
    if (format === "cloud-init") return toCloudInit(config);
    if (format === "command") return `${refuseNodes(cluster)}${toScript(config)}`;
    assertValid(config);
    const ignition = renderIgnition(config);
    if (format === "ignition") return `${ignition}\n`;
    // Butane's own settings, such as SSH keys, can be added.
    return stringify(
        { variant: "fcos", version: "1.6.0", ignition: { config: { merge: [{ inline: ignition }] } } },
        { lineWidth: 0 },
    );
}

/** A machine of a cluster must leave that one first. */
const refuseNodes = (cluster: string) => `#!/bin/sh
# Makes this machine a node of ${cluster}.
if [ -e ${paths.kubeletClient} ]; then
    echo "this machine is a node already; remove it from its cluster with tradewind reset first" >&2
    exit 1
fi
`;
