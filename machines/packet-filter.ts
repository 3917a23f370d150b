import { containerState } from "./container";
import { DockerError, docker } from "./docker";
import { containerName } from "./names";
import { type TarEntry, tar } from "./tar";

/** Where a machine in a simulated cloud reads it at boot: `image/cloud-link`. */
const path = "/var/lib/tradewind/packet-filter.nft";

/** In one command, so that the stored rules are the ones in force. */
const install = `cat >${path}.new && nft -f ${path}.new && mv ${path}.new ${path}`;

/** A machine's packet filter in a file, which its next boot loads first. */
export function filterEntry(ruleset: string): TarEntry {
    return { path: path.slice(1), contents: ruleset, mode: 0o600 };
}

/** Applies a packet filter, for this boot and all later ones; in a machine that is off, from its next boot on. */
export async function setPacketFilter(cluster: string, name: string, ruleset: string): Promise<void> {
    const container = containerName(cluster, name);
    try {
        await docker(["exec", "--interactive", container, "sh", "-euc", install], { input: ruleset });
    } catch (error) {
        const state = await containerState(container);
        if (!(error instanceof DockerError) || !state) throw error;
        // Not while it runs: `docker cp` mounts over paths that a machine is about to unmount.
        if (state.state !== "exited" && state.state !== "created") throw error;
        await docker(["cp", "-", `${container}:/`], { input: tar([filterEntry(ruleset)]) });
    }
}
