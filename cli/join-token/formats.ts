import { stringify } from "yaml";
import { paths } from "../../cluster/paths";
import {
    assertValid,
    type Config,
    compressed,
    render as renderIgnition,
    toCloudInit,
    toScript,
    withoutComments,
} from "../../ignition";

/** Forms of a machine's config: for its first boot, or a script for root on an installed machine. */
export const formats = ["command", "cloud-init", "butane", "ignition"] as const;

export type Format = (typeof formats)[number];

/** The most bytes of user-data on DigitalOcean. */
const mostUserData = 64 * 1024;

/**
 * A config is printed without comments: user-data is limited. Its files are compressed one by one only if it is too long
 * otherwise, because as a whole it compresses better, for the 16 KiB of EC2.
 *
 * @param cluster - its name
 */
export function render(format: Format, config: Config, cluster: string): string {
    const short = withoutComments(config, paths.bin);
    const text = rendered(format, short, cluster);
    return Buffer.byteLength(text) <= mostUserData ? text : rendered(format, compressed(short), cluster);
}

function rendered(format: Format, config: Config, cluster: string): string {
    if (format === "cloud-init") return toCloudInit(config);
    if (format === "command") return `${refuseNodes(cluster)}${toScript(config)}`;
    assertValid(config);
    return format === "ignition" ? `${renderIgnition(config)}\n` : toButane(config);
}

/**
 * Butane's own settings, such as SSH keys, can be added. Butane validates the inner config only if it has the version that
 * its variant produces, and no version of Flatcar's produces 3.5.0, which adds nothing but `cex`.
 */
function toButane(config: Config): string {
    const [version, spec] = config.storage?.luks?.some(({ cex }) => cex) ? ["1.6.0", "3.5.0"] : ["1.5.0", "3.4.0"];
    const inline = renderIgnition({ ...config, ignition: { ...config.ignition, version: spec } });
    return stringify({ variant: "fcos", version, ignition: { config: { merge: [{ inline }] } } }, { lineWidth: 0 });
}

/** A machine of a cluster must leave that one first. */
const refuseNodes = (cluster: string) => `#!/bin/sh
# Makes this machine a node of ${cluster}.
if [ -e ${paths.kubeletClient} ]; then
    echo "this machine is a node already; remove it from its cluster with tradewind reset first" >&2
    exit 1
fi
`;
