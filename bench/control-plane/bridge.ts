import { type Config, config, file } from "../../ignition";

/** A pod network on one machine alone: enough for a node to be Ready and its pods to run. @param subnet - the node's pods */
export function bridge(subnet: string): Config {
    const conflist = {
        cniVersion: "1.0.0",
        name: "bridge",
        plugins: [
            {
                type: "bridge",
                bridge: "cni0",
                isGateway: true,
                ipMasq: true,
                ipam: { type: "host-local", ranges: [[{ subnet }]], routes: [{ dst: "0.0.0.0/0" }] },
            },
            { type: "portmap", capabilities: { portMappings: true } },
        ],
    };
    return config({ files: [file("/etc/cni/net.d/10-bridge.conflist", JSON.stringify(conflist), { mode: 0o644 })] });
}
